import Contracts
import RPC

// Calls that are not answered yet.

extension PhotoHandler {
    private func pending() -> RPCError { RPCError(.unimplemented, "this call is not answered yet") }

    func getPicture(
        _ request: GetPictureRequest, _ responses: ResponseWriter<GetPictureResponse>, _ context: CallContext
    ) async throws { throw pending() }

    func getAlbum(_ request: GetAlbumRequest, _ context: CallContext) async throws -> GetAlbumResponse {
        throw pending()
    }

    func openAlbum(_ request: OpenAlbumRequest, _ context: CallContext) async throws -> OpenAlbumResponse {
        throw pending()
    }

    func newCollection(
        _ request: NewCollectionRequest, _ context: CallContext
    ) async throws -> NewCollectionResponse { throw pending() }

    func removePhotos(_ request: RemovePhotosRequest, _ context: CallContext) async throws -> RemovePhotosResponse {
        throw pending()
    }

    func restorePhotos(
        _ request: RestorePhotosRequest, _ context: CallContext
    ) async throws -> RestorePhotosResponse { throw pending() }

    func watchAlbums(
        _ request: WatchAlbumsRequest, _ responses: ResponseWriter<WatchAlbumsResponse>, _ context: CallContext
    ) async throws { throw pending() }

    func scanPictures(
        _ request: ScanPicturesRequest, _ responses: ResponseWriter<ScanPicturesResponse>, _ context: CallContext
    ) async throws { throw pending() }
}
