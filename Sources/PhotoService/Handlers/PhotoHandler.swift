import Contracts
import Daemon
import RPC
import Requests
import Storage
import Stores

/// Answers calls about photos. Their records are shared by all accounts.
struct PhotoHandler: PhotoServiceHandler {
    let store: PhotoStore
    let pictures: PictureStore
    let onDemand: PicturesOnDemand
    let scans: Scans
    let links: PictureLinks

    func putPhoto(_ request: PutPhotoRequest, _ context: CallContext) async throws -> PutPhotoResponse {
        let photo = try Photo(request)
        let change = try Change(request.requestId, request, context, clock: store.clock)
        return try await store.make(change, deadline: context.storageDeadline) { transaction throws(SQLError) in
            try transaction.put(photo)
            return .success(PutPhotoResponse(photo: Contracts.Photo(photo, links)))
        }
    }

    func getPhoto(_ request: GetPhotoRequest, _ context: CallContext) async throws -> GetPhotoResponse {
        let id = try PhotoID(request: request.id, field: "id")
        let photo = try await store.photo(id, deadline: context.storageDeadline)
        return GetPhotoResponse(photo: Contracts.Photo(photo, links))
    }

    func photosNear(_ request: PhotosNearRequest, _ context: CallContext) async throws -> PhotosNearResponse {
        let query = try NearQuery(
            centre: request.centre, radiusMetres: request.radiusM, limit: request.limit)
        let found = try await store.near(query, deadline: context.storageDeadline)
        return PhotosNearResponse(found, links)
    }
}
