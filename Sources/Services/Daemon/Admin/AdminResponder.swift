package import HTTP

/// Answers those who run the service: whether it is alive, whether it is ready, what it counts.
package struct AdminResponder: HTTPResponder, HTTPWork {
    private let health: ServingHealth
    private let metrics: MetricRegistry

    private let isLocal: Bool

    /// - Parameter isLocal: whether only this machine reaches it. Then requests must name an address or localhost:
    ///   another name that resolves to this machine belongs to a web page that tries to read the answers.
    package init(_ health: ServingHealth, _ metrics: MetricRegistry, isLocal: Bool = false) {
        self.isLocal = isLocal
        self.health = health
        self.metrics = metrics
    }

    package func respond(to request: HTTPRequest) async -> HTTPResponse {
        guard !isLocal || request.host.isSafe else {
            return HTTPResponse(421, text: "this port is reached by an address or as localhost")
        }
        guard ["GET", "HEAD"].contains(request.method) else {
            return HTTPResponse(405, headers: [("Allow", "GET, HEAD")])
        }
        var response = await answer(request.path)
        response.headers.add("Cache-Control", "no-store")
        response.headers.add("X-Content-Type-Options", "nosniff")
        return response
    }

    /// What is wrong does not keep calls away, who could do nothing about it.
    private var ready: String {
        (["ready"] + metrics.warnings.map { "warning: \($0)" }).joined(separator: "\n")
    }

    private func answer(_ path: String) async -> HTTPResponse {
        switch path {
        case "/livez": HTTPResponse(200, text: "alive")
        case "/readyz":
            health.isServing ? HTTPResponse(200, text: ready) : HTTPResponse(503, text: "not ready")
        case "/metrics":
            HTTPResponse(
                200, headers: [("Content-Type", MetricText.mediaType)], body: .bytes(Array(await metrics.text().utf8)))
        default: HTTPResponse(404, text: "there are /livez, /readyz and /metrics")
        }
    }
}
