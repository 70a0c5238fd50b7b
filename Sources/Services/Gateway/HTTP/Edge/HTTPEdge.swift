import Budgets
import Bytes
import Contracts
import Daemon
import EventLoops
import HTTP
import RPC
import Wire

/// Everything that is reached by HTTP. A request is checked from the outside in: first whether this client may ask at
/// all, then what it asks for.
struct HTTPEdge: HTTPResponder {
    let connect: ConnectHandler
    let events: EventStreams
    let pictures: PictureHandler
    let maps: PinMapHandler
    let tiles: TileHandler
    let archives: [TileArchive]
    let albums: AlbumHandler
    let account: AccountDownloadHandler
    let sharedPage: SharedPage
    let sharedPictures: SharedPictureHandler
    let pages: Pages
    let session: SessionCookie
    let providers: ProviderLogin
    let admission: ClientAdmission
    let origins: Origins
    let clients: ClientAddress
    let rate: RateLimit
    let maximumTimeout: Duration

    func respond(to request: HTTPRequest) async -> HTTPResponse {
        let caller = Caller(request, session, maximumTimeout: maximumTimeout)
        var response: HTTPResponse
        if let refusal = refusal(request, caller) {
            response = refusal
        } else {
            response = await answer(request, caller)
        }
        complete(&response, request, caller)
        return response
    }

    /// As the errors of calls are: its client reads the code, not the status.
    func refused(_ request: HTTPRequest, _ refusal: HTTPRefusal) -> HTTPResponse {
        let caller = Caller(request, session, maximumTimeout: maximumTimeout)
        let error = RPCError(refusal.code, refusal.sentence).naming(caller.requestID)
        var response = connect.refused(request, error, status: refusal.status)
        complete(&response, request, caller)
        return response
    }

    /// Adds what every answer contains.
    private func complete(_ response: inout HTTPResponse, _ request: HTTPRequest, _ caller: Caller) {
        response.headers.add("X-Request-Id", caller.requestID)
        response.headers.add("X-Content-Type-Options", "nosniff")
        for header in origins.headers(for: request) { response.headers.add(header.0, header.1) }
    }

    /// The time limit of a call; all other requests are bounded by themselves.
    func timeLimit(of request: HTTPRequest) -> Duration? {
        if request.path.begins(with: PinMapHandler.prefix) {
            return ConnectTimeout.none.limit(MapServiceMethods.getPinMap, at: maximumTimeout)
        }
        if request.path.begins(with: TileHandler.prefix) {
            return ConnectTimeout.none.limit(PlacesServiceMethods.getTile, at: maximumTimeout)
        }
        guard let method = connect.method(at: request.path), let timeout = try? ConnectTimeout(request) else {
            return nil
        }
        return timeout.limit(method.descriptor, at: maximumTimeout)
    }

    func client(of request: HTTPRequest) -> (ClientKey, ClientStanding) {
        let isKnown = admission.isKnown(session.token(of: request))
        return (clients.key(of: request), isKnown ? .known : .stranger)
    }

    func standing(of peer: String) -> ClientStanding { clients.isTrusted(peer) ? .trusted : .known }

    private func refusal(_ request: HTTPRequest, _ caller: Caller) -> HTTPResponse? {
        if let refusal = origins.refusal(request) { return refusal }
        guard let wait = rate.refusal(request.client) else { return nil }
        let milliseconds = UInt64(clamping: Int64(wait / .milliseconds(1)) + 1)
        return connect.refused(
            request,
            RPCError(
                .resourceExhausted, "too many requests from this client",
                details: StatusDetails(retryAfterMs: milliseconds)
            ).naming(caller.requestID))
    }

    private func answer(_ request: HTTPRequest, _ caller: Caller) async -> HTTPResponse {
        if let preflight = origins.preflight(request) { return preflight }
        if let method = connect.method(at: request.path) { return await connect.respond(to: request, method, caller) }
        switch request.path {
        case "/events": return await events.respond(to: request, caller)
        case AccountDownloadHandler.path: return await account.respond(to: request, caller)
        case "/session": return await session.respond(to: request, caller)
        case let path where path.begins(with: ProviderLogin.prefix):
            return await providers.respond(to: request, path.dropFirst(ProviderLogin.prefix.count), caller)
        case let path where path.begins(with: PictureHandler.prefix):
            return await pictures.respond(to: request, path.dropFirst(PictureHandler.prefix.count), caller)
        case let path where path.begins(with: PinMapHandler.prefix):
            return await maps.respond(to: request, path.dropFirst(PinMapHandler.prefix.count), caller)
        case let path where path.begins(with: TileHandler.prefix):
            return await tiles.respond(to: request, path.dropFirst(TileHandler.prefix.count), caller)
        case let path where path.begins(with: SharedPage.prefix):
            return await sharedPage.respond(to: request, path.dropFirst(SharedPage.prefix.count), caller)
        case let path where path.begins(with: SharedTickets.path):
            return await sharedPictures.respond(to: request, path.dropFirst(SharedTickets.path.count), caller)
        case let path where path.begins(with: AlbumHandler.prefix):
            return await albums.respond(to: request, path.dropFirst(AlbumHandler.prefix.count), caller)
        default:
            if let archive = archives.first(where: { request.path.begins(with: $0.prefix) }) {
                return await archive.respond(to: request)
            }
            return pages.respond(to: request) ?? Self.nothing(request, caller)
        }
    }

    /// A path of two parts with a dot in the first looks like a method of a service that is not here.
    private static func nothing(_ request: HTTPRequest, _ caller: Caller) -> HTTPResponse {
        let parts = request.path.split(at: "/", omittingEmptySubsequences: false).dropFirst()
        guard parts.count == 2, parts.first?.holds(".") ?? false, request.method == "POST" else {
            return HTTPResponse(404, .notFound, "there is nothing here")
        }
        let path = request.path.dropFirst().prefix(200)
        var response = HTTPResponse(
            RPCError(.unimplemented, "there is no method \(path)").naming(caller.requestID))
        response.status = 404
        return response
    }
}

extension HTTPRefusal {
    /// The code for the caller of a method.
    fileprivate var code: RPCCode {
        switch status {
        case 413: .resourceExhausted
        case 501, 505: .unimplemented
        case 503: .unavailable
        default: .invalidArgument
        }
    }
}
