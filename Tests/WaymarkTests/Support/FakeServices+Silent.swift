import Contracts
import RPC

// What the stand-ins never get asked.

extension FakePins {
    private func pending() -> RPCError { RPCError(.unimplemented, "") }

    func listPins(_ request: ListPinsRequest, _ context: CallContext) async throws -> ListPinsResponse {
        throw pending()
    }

    func movePin(_ request: MovePinRequest, _ context: CallContext) async throws -> MovePinResponse { throw pending() }

    func renamePin(_ request: RenamePinRequest, _ context: CallContext) async throws -> RenamePinResponse {
        throw pending()
    }

    func deletePin(_ request: DeletePinRequest, _ context: CallContext) async throws -> DeletePinResponse {
        throw pending()
    }

    func listPinPlaces(
        _ request: ListPinPlacesRequest, _ context: CallContext
    ) async throws -> ListPinPlacesResponse { throw pending() }

    func watchPin(
        _ request: WatchPinRequest, _ responses: ResponseWriter<WatchPinResponse>, _ context: CallContext
    ) async throws { throw pending() }

    func setPinSpan(_ request: SetPinSpanRequest, _ context: CallContext) async throws -> SetPinSpanResponse {
        throw pending()
    }

    func getMapRegion(_ request: GetMapRegionRequest, _ context: CallContext) async throws -> GetMapRegionResponse {
        throw pending()
    }

    func setMapRegion(_ request: SetMapRegionRequest, _ context: CallContext) async throws -> SetMapRegionResponse {
        throw pending()
    }

    func getBounds(_ request: GetBoundsRequest, _ context: CallContext) async throws -> GetBoundsResponse {
        throw pending()
    }
}

extension FakePhotos {
    private func pending() -> RPCError { RPCError(.unimplemented, "") }

    func getPhoto(_ request: GetPhotoRequest, _ context: CallContext) async throws -> GetPhotoResponse {
        throw pending()
    }

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
