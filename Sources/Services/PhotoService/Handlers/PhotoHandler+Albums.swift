import PhotoContracts
import Daemon
import EventLoops
import RPC
import Storage
import Stores

extension PhotoHandler {
    func getAlbum(_ request: GetAlbumRequest, _ context: CallContext) async throws -> GetAlbumResponse {
        let page = try AlbumPage(request, account: try context.account)
        let answer = try await store.album(page, deadline: context.storageDeadline)
        var response = GetAlbumResponse(answer, page, links)
        guard context.identity?.service != nil else { return response }
        for (index, entry) in answer.photos.enumerated() { response.photos[index].adder = entry.photo.adder }
        return response
    }

    func openAlbum(_ request: OpenAlbumRequest, _ context: CallContext) async throws -> OpenAlbumResponse {
        let page = AlbumPage(subject: try AlbumSubject(request: request.subject), account: try context.account)
        let limit = EnabledNetworks(names: context.identity?.credential.networks)
        let networks = pictures.networkNames.filter { limit.allows($0) }
        let answer = try await store.open(page, at: networks, deadline: context.storageDeadline)
        return OpenAlbumResponse(answer, links)
    }

    func newCollection(_ request: NewCollectionRequest, _ context: CallContext) async throws -> NewCollectionResponse {
        let subject = try AlbumSubject(request: request.subject)
        guard context.identity?.credential.networks == nil else {
            throw RPCError(.permissionDenied, "a key that is limited to networks can't ask for a new collection")
        }
        let wish = CollectionWish(request, account: try context.account)
        let change = try Change(request.requestId, request, context, clock: store.clock)
        let time = store.clock.unixMilliseconds
        return try await store.make(change, deadline: context.storageDeadline) { transaction throws(SQLError) in
            try transaction.changing(subject, for: wish.account) { album throws(SQLError) in
                try transaction.wishCollection(wish, for: album, at: time)
            }.map { NewCollectionResponse(album: PhotoContracts.Album($0)) }
        }
    }

    func removePhotos(_ request: RemovePhotosRequest, _ context: CallContext) async throws -> RemovePhotosResponse {
        let (subject, account) = (try AlbumSubject(request: request.subject), try context.account)
        let photos = try PhotoID.all(request.photoIds)
        let change = try Change(request.requestId, request, context, clock: store.clock)
        return try await store.make(change, deadline: context.storageDeadline) { transaction throws(SQLError) in
            try transaction.changing(subject, for: account) { album throws(SQLError) in
                try transaction.removePhotos(photos, from: album, for: account)
            }.map { RemovePhotosResponse(album: PhotoContracts.Album($0)) }
        }
    }

    func restorePhotos(_ request: RestorePhotosRequest, _ context: CallContext) async throws -> RestorePhotosResponse {
        let (subject, account) = (try AlbumSubject(request: request.subject), try context.account)
        let photos = try PhotoID.all(request.photoIds)
        let change = try Change(request.requestId, request, context, clock: store.clock)
        let time = store.clock.unixMilliseconds
        return try await store.make(change, deadline: context.storageDeadline) { transaction throws(SQLError) in
            try transaction.changing(subject, for: account) { album throws(SQLError) in
                try transaction.restorePhotos(photos, to: album, for: account, at: time)
            }.map { RestorePhotosResponse(album: PhotoContracts.Album($0)) }
        }
    }
}

extension PhotoHandler {
    /// The shortest interval between two answers of a watch.
    private static let pace = Duration.milliseconds(250)

    func watchAlbum(
        _ request: WatchAlbumRequest, _ responses: ResponseWriter<WatchAlbumResponse>, _ context: CallContext
    ) async throws {
        var watch = try AlbumWatch(request, account: try context.account)
        try await store.watch(pace: Self.pace) {
            guard let delta = try await store.delta(for: watch) else { return .paced }
            watch.sent(delta)
            try await responses.write(WatchAlbumResponse(delta, watch, links))
            return delta == .gone ? .end : .paced
        }
    }
}
