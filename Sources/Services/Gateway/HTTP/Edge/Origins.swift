import Bytes
import Daemon
import HTTP
import RPC

/// Which web pages may use the gateway from a browser.
///
/// A page of another site can make a browser send requests here, with the user's cookie or, in open mode, from the
/// user's own machine; and a host name of its own that is made to resolve to this machine makes it look like the same
/// site. So the page's origin has to be ours, unless it was allowed; in open mode also the host name in the request.
struct Origins: Sendable {
    /// "https://map.example.org": the URL at which the gateway is reached; nil when only by its own address.
    let publicURL: WebOrigin?
    /// Origins of other sites that may call.
    let allowed: Set<String>
    /// Whether every client that reaches the gateway is let in: then the host name matters.
    let isOpen: Bool

    /// Why a request is refused; nil when it is not.
    /// - Parameter isShownElsewhere: whether pages of other sites may show what it asks for: the ticket in the URL is
    ///   the permission.
    func refusal(_ request: HTTPRequest, isShownElsewhere: Bool) -> Refused? {
        let host = request.host
        guard isOurs(host) else {
            return Refused(
                status: 421, sentence: "this gateway is not reached by that name; --public-url sets its name")
        }
        let origins = request.headers.values("origin")
        if let text = origins.first {
            guard origins.count == 1, let origin = WebOrigin(header: text) else { return Self.foreign }
            return isOurs(origin, host) || allowed.contains(origin.text) ? nil : Self.foreign
        }
        // Browsers send this where they don't send the origin.
        guard request.headers["sec-fetch-site"] == "cross-site", request.headers["sec-fetch-mode"] != "navigate" else {
            return nil
        }
        return isShownElsewhere && Route.reading.contains(request.method) ? nil : Self.foreign
    }

    /// The headers that let a page of another site read an answer; empty when none may.
    func headers(for request: HTTPRequest) -> [(String, String)] {
        if allowed.isEmpty { return [] }
        // Also sent when there is no origin: a cache must not give that answer to a page that sends one.
        let vary = ("Vary", "Origin")
        guard let text = request.headers["origin"], let origin = WebOrigin(header: text), allowed.contains(origin.text)
        else { return [vary] }
        return [
            vary, ("Access-Control-Allow-Origin", text),
            (
                "Access-Control-Expose-Headers",
                "X-Request-Id, Retry-After, ETag, Content-Encoding, Grpc-Status, Grpc-Message, Grpc-Status-Details-Bin"
            ),
        ]
    }

    /// The answer to a browser's preflight request.
    func preflight(_ request: HTTPRequest) -> HTTPResponse? {
        guard request.method == "OPTIONS", request.headers["access-control-request-method"] != nil else { return nil }
        return HTTPResponse(
            204,
            headers: [
                ("Access-Control-Allow-Methods", "GET, POST, DELETE"),
                (
                    "Access-Control-Allow-Headers",
                    "Authorization, Content-Type, Connect-Protocol-Version, Connect-Timeout-Ms, Grpc-Timeout, Last-Event-ID, "
                        + "X-Grpc-Web, X-Request-Id, X-User-Agent"
                ), ("Access-Control-Max-Age", "7200"),
            ])
    }

    /// Why a request is let in by no method.
    struct Refused: Equatable {
        let status: Int
        let sentence: String
    }

    private static let foreign = Refused(
        status: 403, sentence: "pages of other sites are not let in; --allow-origins lets some in")

    private func isOurs(_ host: HTTPRequest.Host) -> Bool {
        if !isOpen || host.isSafe { return true }
        guard case .named(let authority) = host else { return false }
        return authority.host == publicURL?.name
    }

    private func isOurs(_ origin: WebOrigin, _ host: HTTPRequest.Host) -> Bool {
        if origin == publicURL { return true }
        guard case .named(let host) = host else { return false }
        return origin.text == "http://\(host.text)" || origin.text == "https://\(host.text)"
    }
}
