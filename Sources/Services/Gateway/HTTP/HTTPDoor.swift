import Daemon
import EventLoops
import HTTP
import LoginLinks
import RPC

/// The gateway's second entrance: HTTP, with the same methods behind it.
struct HTTPDoor: ServiceDoor {
    let name = "http"
    let address: SocketAddress
    private let server: HTTPServer
    private let pictures: PictureCache
    private let large: LargeMessages

    /// Listens at the address in `--http`.
    static func open(
        _ config: HTTPConfig, _ admission: ClientAdmission, _ sessions: Sessions, before server: Server,
        _ backends: Backends, _ sharing: Sharing, _ runtime: Runtime, pace: EventPace = EventPace()
    ) async throws -> HTTPDoor {
        let pictures = await PictureCache(
            folder: config.cacheFolder, limitBytes: config.cacheBytes, photos: backends.photos,
            signer: IdentitySigner(runtime.key), blocking: runtime.blocking, log: runtime.log)
        let (archives, pages, template) = try await runtime.blocking.run {
            let basemap = try config.basemap(runtime.blocking)
            let archives = try config.bundledMaps(runtime.blocking) + [basemap].compactMap(\.self)
            let pages = try config.pages(server.router.methods, basemap: basemap?.settings)
            return (archives, pages, try config.sharedTemplate())
        }
        let large = LargeMessages()
        let connect = ConnectHandler(server, large)
        let session = SessionCookie(
            tokens: config.tokens, sessions: sessions, isSecure: config.isSecure, links: config.links,
            blocking: runtime.blocking)
        let shown = PictureHandler(pictures, PictureTickets(runtime.key))
        let edge = HTTPEdge(
            connect: connect, events: EventStreams(server, connect, admission, pace: pace),
            pictures: shown, maps: PinMapHandler(server),
            tiles: TileHandler(server), archives: archives, albums: AlbumHandler(backends, admission),
            account: AccountDownloadHandler(backends: backends, admission: admission),
            sharedPage: SharedPage(
                shared: sharing.handler, template: template, publicURL: config.origins.publicURL, large: large),
            sharedPictures: SharedPictureHandler(
                shares: sharing.shares, tickets: SharedTickets(runtime.key), pictures: shown, maps: sharing.maps),
            pages: pages, session: session,
            providers: ProviderLogin(
                pins: backends.pins, admission: admission, session: session, publicURL: config.origins.publicURL),
            admission: admission, origins: config.origins, clients: ClientAddress(trusting: config.trustedProxies),
            rate: RateLimit(perSecond: config.rate), maximumTimeout: server.limits.maximumTimeout)
        let http = HTTPServer(edge, group: runtime.loops, memory: runtime.memory, tls: config.tls)
        runtime.certificates.add([config.tls].compactMap(\.self))
        let address = try await runtime.listen("--http") { address throws(SystemError) in
            try await http.listen(on: address)
        }
        runtime.log.info("ready for HTTP", ["address": "\(address)"])
        return HTTPDoor(address: address, server: http, pictures: pictures, large: large)
    }

    private init(address: SocketAddress, server: HTTPServer, pictures: PictureCache, large: LargeMessages) {
        self.large = large
        self.address = address
        self.server = server
        self.pictures = pictures
    }

    func close(grace: Duration) async {
        await server.shutDown(grace: grace)
        await pictures.close()
        // It has no work left: the server has ended all requests.
        large.close()
    }
}
