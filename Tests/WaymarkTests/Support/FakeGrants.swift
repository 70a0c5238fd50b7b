import Fakes
import Contracts
import RPC
import Synchronization
import TestSupport
import Wire

/// What accounts share, in memory: all of it is shared with oneself.
final class FakeGrants: GrantServiceFake, Sendable {
    let grants = Mutex<[Grant]>([])

    func createGrant(_ request: CreateGrantRequest, _ context: CallContext) async throws -> CreateGrantResponse {
        grants.withLock { grants in
            let grant = Grant(
                id: "g\(grants.count + 1)", pinId: request.pinId, listId: request.listId,
                name: request.listId.isEmpty ? "Esplanadi" : "Summer", email: request.email, right: request.right)
            grants.append(grant)
            return CreateGrantResponse(grant: grant)
        }
    }

    func listGrants(_ request: ListGrantsRequest, _ context: CallContext) async throws -> ListGrantsResponse {
        ListGrantsResponse(grants: grants.withLock { $0 })
    }

    func deleteGrant(_ request: DeleteGrantRequest, _ context: CallContext) async throws -> DeleteGrantResponse {
        grants.withLock { grants in
            let before = grants.count
            grants.removeAll { $0.id == request.id }
            return DeleteGrantResponse(deleted: grants.count < before)
        }
    }

    func listSharedWithMe(
        _ request: ListSharedWithMeRequest, _ context: CallContext
    ) async throws -> ListSharedWithMeResponse {
        ListSharedWithMeResponse(
            shared: grants.withLock { $0 }.map {
                SharedWithMe(id: $0.id, name: $0.name, right: $0.right, ownerName: "Ann Tester")
            })
    }
}

/// One pin that is shared.
final class FakeSharedWithMe: SharedWithMeServiceFake, Sendable {
    /// Ids of photos that were added.
    let added = Mutex<[String]>([])

    func getSharedWithMe(
        _ request: GetSharedWithMeRequest, _ context: CallContext
    ) async throws -> GetSharedWithMeResponse {
        GetSharedWithMeResponse(
            shared: SharedWithMe(id: request.id, name: "Esplanadi", ownerName: "Ann Tester"),
            content: GetSharedPinResponse(
                name: "Esplanadi", position: Coordinate(latitude: 60.1675, longitude: 24.943), note: "quiet",
                places: [SharedPlace(name: "Kappeli", distanceM: 80.4)], placeCount: 1))
    }

    func addSharedPhoto(
        _ request: AddSharedPhotoRequest, _ context: CallContext
    ) async throws -> AddSharedPhotoResponse {
        added.withLock { $0.append("\(request.id) \(request.uploadId)") }
        return AddSharedPhotoResponse(photo: Photo(id: request.uploadId))
    }
}
