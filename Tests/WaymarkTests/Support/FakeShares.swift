import Fakes
import Contracts
import RPC
import Synchronization
import TestSupport
import Wire

/// Links in memory.
final class FakeShares: ShareServiceFake, Sendable {
    private let shares = Mutex<[Share]>([])

    func createShare(_ request: CreateShareRequest, _ context: CallContext) async throws -> CreateShareResponse {
        shares.withLock { shares in
            let share = Share(
                id: "s\(shares.count + 1)", pinId: request.pinId, pinName: "Esplanadi", path: "/s/secret",
                hasPassword: !request.password.isEmpty, withNote: request.withNote, listId: request.listId,
                listName: request.listId.isEmpty ? "" : "Summer", albumOnly: request.albumOnly)
            shares.append(share)
            return CreateShareResponse(share: share)
        }
    }

    func listShares(_ request: ListSharesRequest, _ context: CallContext) async throws -> ListSharesResponse {
        ListSharesResponse(shares: shares.withLock { $0 })
    }

    func deleteShare(_ request: DeleteShareRequest, _ context: CallContext) async throws -> DeleteShareResponse {
        shares.withLock { shares in
            let before = shares.count
            shares.removeAll { $0.id == request.id }
            return DeleteShareResponse(deleted: shares.count < before)
        }
    }
}
