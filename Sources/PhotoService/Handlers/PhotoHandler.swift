import Contracts
import RPC
import ServiceRuntime

/// Answers calls about photos. Their records are shared by all accounts.
struct PhotoHandler: Contracts.PhotoService {
    private let store: PhotoStore

    init(_ store: PhotoStore) { self.store = store }

    func putPhoto(_ request: PutPhotoRequest, _ context: CallContext) async throws -> PutPhotoResponse {
        let photo = try Photo(request)
        try await store.put(photo, deadline: context.storageDeadline)
        return PutPhotoResponse(photo: Contracts.Photo(photo))
    }

    func photosNear(_ request: PhotosNearRequest, _ context: CallContext) async throws -> PhotosNearResponse {
        let query = try NearQuery(request)
        let found = try await store.near(query, deadline: context.storageDeadline)
        return PhotosNearResponse(found)
    }
}
