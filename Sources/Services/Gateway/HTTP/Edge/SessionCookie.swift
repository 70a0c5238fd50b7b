import Budgets
import Bytes
import Crypto
import Daemon
import EventLoops
import FoundationEssentials
import HTTP
import LoginLinks
import RPC
import Wire

/// The browser's way to carry a session: a cookie that scripts can't read and that pages of other sites don't send.
struct SessionCookie: Sendable {
    static let plainName = "waymark_session"
    /// Of the JSON with the token or the link.
    static let bodyLimit = HTTPBodyLimit(4096, "a login has at most 4096 bytes")
    /// How long a browser keeps it, in seconds. The session itself may end before.
    private static let life = 400 * 86_400

    let tokens: AccessTokens
    let sessions: Sessions
    /// Whether browsers reach the gateway by TLS; then the cookie is only sent over it.
    let isSecure: Bool
    let links: LoginLinks
    /// Where links are looked up, which blocks.
    let blocking: BlockingPool
    var clock = WallClock.system

    /// One of the two.
    private struct Login: Decodable {
        let token: String?
        /// The secret of a link that logs in once.
        let link: String?
    }

    /// With TLS, browsers take a cookie of this name from this host alone: no neighbour of its domain can set it.
    var name: String { isSecure ? "__Host-\(Self.plainName)" : Self.plainName }

    /// The token of a request: from `Authorization: Bearer`, else from the cookie; empty when there is none. Other
    /// schemes are ignored: a proxy may pass on its own password. A cookie that is written in another way counts as
    /// none: it may be left from another gateway that had the same name.
    func token(of request: HTTPRequest) -> String {
        if let parts = request.headers["authorization"]?.split(at: " ", maxSplits: 1), parts.count == 2,
            parts[0].lowercased() == "bearer"
        {
            return String(parts[1])
        }
        return token(ofCookie: request)
    }

    private func token(ofCookie request: HTTPRequest) -> String {
        guard let token = request.cookies(name).first.map(String.init) else { return "" }
        return Sessions.isSession(token) ? token : ""
    }

    /// The cookie of a session that has ended stays until `DELETE`: in open mode a page would otherwise go on with the
    /// next call as the profile that all share, and mix the two.
    ///
    /// `POST /session` begins a session for a token or a link, or takes one that has begun, and sets the cookie.
    /// `DELETE` ends the session and removes the cookie.
    func respond(to request: HTTPRequest, _ caller: Caller) async throws(RPCError) -> HTTPResponse {
        if request.method == "POST" { return try await enter(request) }
        if Sessions.isSession(caller.token.text), !sessions.hasEnded(caller.token) {
            try await sessions.end(caller.token, by: caller.client)
        }
        return HTTPResponse(204, headers: [("Set-Cookie", cookie("", life: 0))])
    }

    private func enter(_ request: HTTPRequest) async throws(RPCError) -> HTTPResponse {
        guard ConnectCodec(request.headers["content-type"], isStream: false) == .json else {
            return .unsupportedMediaType(request, "application/json")
        }
        let login = try? JSONDecoder().decode(Login.self, from: Data(request.body))
        let token: String
        switch (login?.token, login?.link) {
        case (let given?, nil): token = try await session(given, request, otherwise: "the token is not known here")
        case (nil, let link?): token = try await session(link: link, request)
        default:
            return HTTPResponse(400, .invalidArgument, "a JSON object with the member \"token\" or \"link\" is needed")
        }
        await leave(request, for: token)
        return HTTPResponse(204, headers: [header(token)])
    }

    /// The session that a token stands for.
    private func session(
        _ token: String, _ request: HTTPRequest, otherwise refusal: String
    ) async throws(RPCError) -> String {
        let given = ClientToken(token)
        if Sessions.isSession(token) {
            _ = try await sessions.claim(of: given)
            return token
        }
        guard let roles = tokens.roles(of: given) else { throw RPCError(.unauthenticated, refusal) }
        return try await sessions.begin(
            given, roles, address: request.client.text, device: request.headers["user-agent"].map(Self.device) ?? "")
    }

    private func session(link secret: String, _ request: HTTPRequest) async throws(RPCError) -> String {
        let token: String?
        do {
            token = try await blocking.run { [links, clock] in try links.use(secret, at: clock.unixMilliseconds) }
        } catch is BlockingPool.Refusal {
            // Nothing has been done with it.
            let busy = StatusDetails(retryAfterMs: 1000)
            throw RPCError(.unavailable, "the gateway is busy; the link is still good", details: busy)
        } catch {
            // It could be used again.
            throw RPCError(.internalError, "the link can't be used up; the gateway's data folder can't be changed")
        }
        // The token of an old link may be one that is no longer let in.
        return try await session(
            token ?? "", request,
            otherwise: "this link was used, or is older than ten minutes; `waymark login-link` makes another")
    }

    /// The header that gives the browser a session.
    func header(_ token: String) -> (String, String) { ("Set-Cookie", cookie(token, life: Self.life)) }

    /// The digest of the token of the session that the browser has; nil when it has none.
    func digest(of request: HTTPRequest) -> [UInt8]? {
        let token = token(ofCookie: request)
        return token.isEmpty ? nil : SHA256.digest(Array(token.utf8))
    }

    /// Ends the session that the browser had before. If that fails, it ends by itself.
    private func leave(_ request: HTTPRequest, for token: String) async {
        let old = self.token(ofCookie: request)
        guard Sessions.isToken(old), old != token else { return }
        try? await sessions.end(ClientToken(old), by: request.client)
    }

    /// What a browser calls itself, for the list of sessions.
    static func device(_ agent: String) -> String {
        String(agent.unicodeScalars.filter { $0.value >= 0x20 && $0.value < 0x7f }.prefix(100))
    }

    private func cookie(_ value: String, life: Int) -> String {
        "\(name)=\(value); Path=/; Max-Age=\(life); HttpOnly; SameSite=Strict\(isSecure ? "; Secure" : "")"
    }
}
