package import HTTP

/// Answers those who run the service: whether it lives, whether it is ready, what it counts.
package struct AdminResponder: HTTPResponder {
    private let health: HealthHandler
    private let metrics: MetricRegistry

    package init(_ health: HealthHandler, _ metrics: MetricRegistry) {
        self.health = health
        self.metrics = metrics
    }

    package func respond(to request: HTTPRequest) async -> HTTPResponse {
        guard ["GET", "HEAD"].contains(request.method) else {
            return HTTPResponse(405, headers: [("Allow", "GET, HEAD")])
        }
        var response = await answer(request.path)
        response.headers.add("Cache-Control", "no-store")
        response.headers.add("X-Content-Type-Options", "nosniff")
        return response
    }

    private func answer(_ path: String) async -> HTTPResponse {
        switch path {
        case "/livez": HTTPResponse(200, text: "alive")
        case "/readyz":
            health.isServing ? HTTPResponse(200, text: "ready") : HTTPResponse(503, text: "not ready")
        case "/metrics":
            HTTPResponse(
                200, headers: [("Content-Type", MetricText.mediaType)], body: .bytes(Array(await metrics.text().utf8)))
        default: HTTPResponse(404, text: "there are /livez, /readyz and /metrics")
        }
    }
}
