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
        let web = try await runtime.blocking.run {
            try WebParts(config, methods: server.router.methods, blocking: runtime.blocking)
        }
        let large = LargeMessages()
        let session = SessionCookie(
            tokens: config.tokens, sessions: sessions, isSecure: config.isSecure, links: config.links,
            blocking: runtime.blocking)
        let routes = RouteTable(
            RouteParts(
                server: server, backends: backends, sharing: sharing, admission: admission, session: session,
                key: runtime.key, publicURL: config.origins.publicURL, pictures: pictures, large: large, web: web,
                pace: pace))
        let edge = HTTPEdge(routes, session, admission, config, maximumTimeout: server.limits.maximumTimeout)
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

/// What of the web app is read at the start.
struct WebParts: Sendable {
    let pages: Pages
    /// Nil without a web app.
    let template: SharedTemplate?
    let archives: [TileArchive]

    /// Blocks.
    init(_ config: HTTPConfig, methods: [MethodDescriptor], blocking: BlockingPool) throws {
        let basemap = try config.basemap(blocking)
        archives = try config.bundledMaps(blocking) + [basemap].compactMap(\.self)
        pages = try config.pages(methods, basemap: basemap?.settings)
        template = try config.sharedTemplate()
    }
}
