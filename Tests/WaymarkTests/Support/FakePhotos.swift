import Fakes
import Contracts
import RPC
import Synchronization
import TestSupport
import Wire

/// Keeps photos and one album, notes what it is asked, and plays what streams shall tell.
final class FakePhotos: PhotoServiceFake {
    struct State {
        var photos: [Photo] = []
        var album = Album()
        var albumPhotos: [Photo] = []
        var picture: [GetPictureResponse] = []
        var scan: [ScanPicturesResponse] = []
        var leftOut: [SkippedFile] = []
        var watch: [WatchAlbumResponse] = []
        var shown: [GetAlbumRequest] = []
        var renewed: [NewCollectionRequest] = []
        var removed: [RemovePhotosRequest] = []
        var restored: [RestorePhotosRequest] = []
        var watched: [WatchAlbumRequest] = []
        var near: [PhotosNearRequest] = []
        /// The newest first.
        var favourites: [Favourite] = []
        var pictures: [GetPictureRequest] = []
        /// The names of all changes.
        var changes: [String] = []
    }

    let state = Mutex(State())

    func putPhoto(_ request: PutPhotoRequest, _ context: CallContext) async throws -> PutPhotoResponse {
        state.withLock { state in
            state.changes.append(request.requestId)
            if let photo = request.photo { state.photos.append(photo) }
        }
        return PutPhotoResponse(photo: request.photo)
    }

    func photosNear(_ request: PhotosNearRequest, _ context: CallContext) async throws -> Packed<PhotosNearResponse> {
        state.withLock { state in
            state.near.append(request)
            return Packed(PhotosNearResponse(photos: state.photos))
        }
    }

    func getPhoto(_ request: GetPhotoRequest, _ context: CallContext) async throws -> GetPhotoResponse {
        guard let photo = state.withLock({ $0.photos.first { $0.id == request.id } }) else {
            throw RPCError(.notFound, "there is no such photo")
        }
        return GetPhotoResponse(photo: photo)
    }

    func changeFavourite(
        _ request: ChangeFavouriteRequest, _ context: CallContext
    ) async throws -> ChangeFavouriteResponse {
        state.withLock { state in
            state.changes.append(request.requestId)
            let known = state.favourites.firstIndex { $0.photo?.id == request.photoId }
            if let known { state.favourites.remove(at: known) }
            guard known == nil || request.change == .add, request.change != .remove else {
                return ChangeFavouriteResponse(favourite: false)
            }
            let photo = state.photos.first { $0.id == request.photoId }
            state.favourites.insert(Favourite(photo: photo, placeName: request.placeName), at: 0)
            return ChangeFavouriteResponse(favourite: true)
        }
    }

    /// One favourite a page.
    func listFavourites(
        _ request: ListFavouritesRequest, _ context: CallContext
    ) async throws -> ListFavouritesResponse {
        let favourites = state.withLock { $0.favourites }
        let index = Int(request.pageToken) ?? 0
        return ListFavouritesResponse(
            favourites: Array(favourites.dropFirst(index).prefix(1)),
            nextPageToken: index + 1 < favourites.count ? "\(index + 1)" : "")
    }

    func getPicture(
        _ request: GetPictureRequest, _ responses: ResponseWriter<GetPictureResponse>, _ context: CallContext
    ) async throws {
        let parts = state.withLock { state in
            state.pictures.append(request)
            return state.picture
        }
        for part in parts { try await responses.write(part) }
    }

    /// One photo a page.
    func getAlbum(_ request: GetAlbumRequest, _ context: CallContext) async throws -> GetAlbumResponse {
        let (album, photos) = state.withLock { state in
            state.shown.append(request)
            return (state.album, state.albumPhotos)
        }
        let index = Int(request.pageToken) ?? 0
        return GetAlbumResponse(
            album: album, photos: Array(photos.dropFirst(index).prefix(1)),
            nextPageToken: index + 1 < photos.count ? "\(index + 1)" : "")
    }

    func openAlbum(_ request: OpenAlbumRequest, _ context: CallContext) async throws -> OpenAlbumResponse {
        state.withLock { OpenAlbumResponse(album: $0.album, photos: $0.albumPhotos) }
    }

    func newCollection(_ request: NewCollectionRequest, _ context: CallContext) async throws -> NewCollectionResponse {
        state.withLock { state in
            state.renewed.append(request)
            state.changes.append(request.requestId)
            return NewCollectionResponse(album: state.album)
        }
    }

    func removePhotos(_ request: RemovePhotosRequest, _ context: CallContext) async throws -> RemovePhotosResponse {
        state.withLock { state in
            state.removed.append(request)
            state.changes.append(request.requestId)
            return RemovePhotosResponse(album: state.album)
        }
    }

    func restorePhotos(_ request: RestorePhotosRequest, _ context: CallContext) async throws -> RestorePhotosResponse {
        state.withLock { state in
            state.restored.append(request)
            state.changes.append(request.requestId)
            return RestorePhotosResponse(album: state.album)
        }
    }

    func watchAlbum(
        _ request: WatchAlbumRequest, _ responses: ResponseWriter<WatchAlbumResponse>, _ context: CallContext
    ) async throws {
        let messages = state.withLock { state in
            state.watched.append(request)
            return state.watch
        }
        for message in messages { try await responses.write(message) }
    }

    func scanPictures(
        _ request: ScanPicturesRequest, _ responses: ResponseWriter<ScanPicturesResponse>, _ context: CallContext
    ) async throws {
        for answer in state.withLock({ $0.scan }) { try await responses.write(answer) }
    }

    func listLeftOutFiles(
        _ request: ListLeftOutFilesRequest, _ context: CallContext
    ) async throws -> ListLeftOutFilesResponse {
        ListLeftOutFilesResponse(files: state.withLock { $0.leftOut }, totalCount: 1, hasFolder: true)
    }
}
