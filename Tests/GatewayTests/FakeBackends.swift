import Contracts
import Daemon
import RPC
import Synchronization
import TestSupport

/// What the three services behind the gateway answer in a test.
struct FakeBackends: Sendable {
    typealias Nearby = @Sendable (NearbyRequest, CallContext) async throws -> NearbyResponse
    typealias PinsNear = @Sendable (PinsNearRequest, CallContext) async throws -> PinsNearResponse
    typealias PhotosNear = @Sendable (PhotosNearRequest, CallContext) async throws -> PhotosNearResponse
    typealias PostsNear = @Sendable (PostsNearRequest, CallContext) async throws -> PostsNearResponse

    typealias ListPinPlaces =
        @Sendable (ListPinPlacesRequest, CallContext) async throws -> ListPinPlacesResponse
    typealias WatchPin =
        @Sendable (WatchPinRequest, ResponseWriter<WatchPinResponse>, CallContext) async throws -> Void
    typealias WatchPins =
        @Sendable (WatchPinsRequest, ResponseWriter<WatchPinsResponse>, CallContext) async throws -> Void

    static let places = (0..<3).map { Place(id: "catalog/test/\($0)", name: "Café \($0)", distanceM: Double($0)) }
    static let pin = Pin(id: "p1", name: "Home")
    static let photo = Photo(id: "f1", title: "Harbour")
    static let posts = ["Ann", "Ben"].map { Post(id: $0, author: $0, place: "Helsinki", link: "https://example.org") }

    var discover: @Sendable (DiscoverRequest, CallContext) async throws -> DiscoverResponse = { request, _ in
        DiscoverResponse(results: request.networks.map { NetworkResult(network: $0, status: .ok) })
    }
    var nearby: Nearby = { _, _ in NearbyResponse(places: FakeBackends.places) }
    var pinsNear: PinsNear = { _, _ in PinsNearResponse(pins: [FakeBackends.pin], truncated: true) }
    var photosNear: PhotosNear = { _, _ in PhotosNearResponse(photos: [FakeBackends.photo]) }
    /// What each service has in a box; by "places", "pins" and "photos".
    var clusters: @Sendable (String, FindClustersRequest) async throws -> FindClustersResponse = { name, _ in
        FindClustersResponse(clusters: [Cluster(count: 2, mark: Mark(id: name))], count: 2)
    }
    /// What each service replicates; by "places", "pins" and "photos".
    var replication: @Sendable (String) async throws -> ReplicationState = { _ in ReplicationState() }
    var postsNear: PostsNear = { _, _ in PostsNearResponse(posts: FakeBackends.posts) }

    var listPinPlaces: ListPinPlaces = { _, _ in ListPinPlacesResponse() }

    /// Datasets, and every tile of their maps; nil for none that can be read.
    var datasets: [Contracts.Dataset] = []
    var tile: [UInt8]?
    /// What networks give, and which the account has chosen.
    var networks: [NetworkInfo] = []
    var choices = Contracts.Settings()

    /// Pins by account and id.
    var kept: [String: [String: Pin]] = [:]
    let sessions = FakeSessions()
    let providerLogins = FakeProviderLogins()

    /// The photos of albums, by account and subject; a page has two of them.
    var albums: [String: [String: [Photo]]] = [:]
    var pictures = ScriptedPictures()

    /// What the gateway answers itself.
    var echo: any EchoServiceHandler = EchoHandler()

    var watchPin: WatchPin = { _, _, _ in throw RPCError(.notFound, "there is no such pin") }
    var watchPins: WatchPins = { _, _, _ in }

    private func router(of name: String) -> Router {
        var router = Router()
        router.unary(ClusterServiceMethods.findClusters) {
            [clusters] (request: FindClustersRequest, _: CallContext) async throws -> FindClustersResponse in
            try await clusters(name, request)
        }
        router.unary(ReplicationServiceMethods.getReplication) {
            [replication] (_: GetReplicationRequest, context: CallContext) async throws -> GetReplicationResponse in
            GetReplicationResponse(state: try await replication(name))
        }
        return router
    }

    var placesRouter: Router {
        var router = router(of: "places")
        router.unary(PlacesServiceMethods.nearby, nearby)
        router.unary(PlacesServiceMethods.discover, discover)
        router.unary(PlacesServiceMethods.listDatasets) {
            [datasets] (_: ListDatasetsRequest, _: CallContext) async throws -> ListDatasetsResponse in
            ListDatasetsResponse(datasets: datasets)
        }
        router.unary(PlacesServiceMethods.getTile) {
            [tile] (_: GetTileRequest, _: CallContext) async throws -> GetTileResponse in
            guard let tile else { throw RPCError(.dataLoss, "the map is damaged") }
            return GetTileResponse(tile: tile, version: "1")
        }
        router.unary(PlacesServiceMethods.listNetworks) {
            [networks] (_: ListNetworksRequest, _: CallContext) async throws -> ListNetworksResponse in
            ListNetworksResponse(networks: networks)
        }
        router.serverStreaming(PlacesServiceMethods.runImport) {
            (_: RunImportRequest, responses: ResponseWriter<RunImportResponse>, _: CallContext) async throws in
            for _ in 0..<3 { try await responses.write(RunImportResponse()) }
        }
        return router
    }

    var pinsRouter: Router {
        var router = router(of: "pins")
        router.unary(PinServiceMethods.pinsNear, pinsNear)
        router.unary(PinServiceMethods.listPinPlaces, listPinPlaces)
        router.unary(PostServiceMethods.postsNear, postsNear)
        router.serverStreaming(PinServiceMethods.watchPin, watchPin)
        router.serverStreaming(PinServiceMethods.watchPins, watchPins)
        router.unary(PinServiceMethods.getPin) {
            [kept] (request: GetPinRequest, context: CallContext) async throws -> GetPinResponse in
            guard let pin = kept[try context.account]?[request.id] else {
                throw RPCError(.notFound, "there is no pin \(request.id)")
            }
            return GetPinResponse(pin: pin)
        }
        router.unary(PinServiceMethods.createPin) {
            (_: CreatePinRequest, context: CallContext) async throws -> CreatePinResponse in
            CreatePinResponse(pin: Pin(name: try context.account))
        }
        router.unary(SettingsServiceMethods.getSettings) {
            [choices] (_: GetSettingsRequest, _: CallContext) async throws -> GetSettingsResponse in
            GetSettingsResponse(settings: choices)
        }
        sessions.register(in: &router)
        providerLogins.register(in: &router, sessions)
        return router
    }

    var photosRouter: Router {
        var router = router(of: "photos")
        router.unary(PhotoServiceMethods.photosNear, photosNear)
        router.unary(PhotoServiceMethods.getAlbum) {
            [albums] (request: GetAlbumRequest, context: CallContext) async throws -> GetAlbumResponse in
            let photos = albums[try context.account]?[request.subject] ?? []
            let start = Int(request.pageToken) ?? 0
            let end = min(start + 2, photos.count)
            return GetAlbumResponse(
                photos: Array(photos[start..<end]), nextPageToken: end < photos.count ? "\(end)" : "")
        }
        // As a photo service that knows of no pin.
        router.unary(PhotoServiceMethods.openAlbum) {
            (request: OpenAlbumRequest, _: CallContext) async throws -> OpenAlbumResponse in
            throw RPCError(.notFound, "\(request.subject) has no album")
        }
        router.unary(UploadServiceMethods.startUpload) {
            (request: StartUploadRequest, _: CallContext) async throws -> StartUploadResponse in
            throw RPCError(.notFound, "pin/\(request.pinId) has no album")
        }
        pictures.register(in: &router)
        return router
    }
}

/// Notes the context of every call that a service behind the gateway gets.
final class ContextRecorder: ServerInterceptor {
    private let seen = Mutex<[CallContext]>([])

    var contexts: [CallContext] { seen.withLock { $0 } }

    func admit(_ context: inout CallContext) throws(RPCError) {
        let context = context
        seen.withLock { $0.append(context) }
    }
}
