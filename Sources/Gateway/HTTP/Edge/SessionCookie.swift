import Daemon
import EventLoops
import FoundationEssentials
import HTTP
import LoginLinks
import RPC
import Wire

/// The browser's way to carry a token: a cookie that scripts can't read and that pages of other sites don't send.
struct SessionCookie: Sendable {
    static let name = "waymark_session"
    /// How long a browser keeps it, in seconds.
    private static let life = 30 * 86_400
    /// The most bytes of the JSON with the token or the link.
    private static let longestLogin = 4096
    let tokens: AccessTokens
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

    /// The token of a request: from `Authorization: Bearer`, else from the cookie; empty when there is none. Other
    /// schemes are ignored: a proxy may pass on its own password. A cookie with an unknown token counts as none: it may
    /// be left from another gateway that had the same name.
    func token(of request: HTTPRequest) -> String {
        if let parts = request.headers["authorization"]?.split(separator: " ", maxSplits: 1), parts.count == 2,
            parts[0].lowercased() == "bearer"
        {
            return String(parts[1])
        }
        for pair in request.headers.values("cookie").flatMap({ $0.split(separator: ";") }) {
            let parts = pair.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, parts[0].filter({ $0 != " " }) == Self.name else { continue }
            return tokens.isKnown(String(parts[1])) ? String(parts[1]) : ""
        }
        return ""
    }

    /// `POST /session` sets the cookie, `DELETE` removes it.
    func respond(to request: HTTPRequest) async -> HTTPResponse {
        switch request.method {
        case "POST":
            guard ConnectCodec(request.headers["content-type"], isStream: false) == .json else {
                return .unsupportedMediaType(request, "application/json")
            }
            guard request.body.count <= Self.longestLogin else {
                return HTTPResponse(413, .resourceExhausted, "a login has at most \(Self.longestLogin) bytes")
            }
            let login = try? JSONDecoder().decode(Login.self, from: Data(request.body))
            switch (login?.token, login?.link) {
            case (let token?, nil): return enter(token, otherwise: "the token is not known here")
            case (nil, let link?): return await enter(byLink: link)
            default:
                return HTTPResponse(
                    400, .invalidArgument, "a JSON object with the member \"token\" or \"link\" is needed")
            }
        case "DELETE": return HTTPResponse(204, headers: [("Set-Cookie", cookie("", life: 0))])
        default: return .methodNotAllowed(request, "POST, DELETE")
        }
    }

    private func enter(_ token: String, otherwise refusal: String) -> HTTPResponse {
        guard tokens.isKnown(token) else { return HTTPResponse(401, .unauthenticated, refusal) }
        return HTTPResponse(204, headers: [("Set-Cookie", cookie(token, life: Self.life))])
    }

    private func enter(byLink secret: String) async -> HTTPResponse {
        do {
            let token = try await blocking.run { [links, clock] in
                try links.use(secret, at: clock.unixMilliseconds)
            }
            // The token of an old link may be one that is no longer let in.
            return enter(
                token ?? "",
                otherwise: "this link was used, or is older than ten minutes; `waymark login-link` makes another")
        } catch is BlockingPool.Refusal {
            // Nothing has been done with it.
            let busy = StatusDetails(retryAfterMs: 1000)
            return HTTPResponse(RPCError(.unavailable, "the gateway is busy; the link is still good", details: busy))
        } catch {
            // It could be used again.
            return HTTPResponse(
                500, .internalError, "the link can't be used up; the gateway's data folder can't be changed")
        }
    }

    private func cookie(_ value: String, life: Int) -> String {
        "\(Self.name)=\(value); Path=/; Max-Age=\(life); HttpOnly; SameSite=Strict\(isSecure ? "; Secure" : "")"
    }
}
