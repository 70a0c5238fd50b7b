import Budgets
import Bytes
import HTTP
import RPC
import Wire

/// A request at the edge: what its head decides, and its answer.
final class Visit: HTTPWork {
    private let edge: HTTPEdge
    /// Nil where there is nothing.
    private let route: Route?
    /// What of the path is the route's rest.
    private let rest: Substring
    private let caller: Caller
    let standing: ClientStanding
    let timeLimit: Duration?
    let takesParts: Bool

    init(_ head: HTTPRequest, at edge: HTTPEdge) {
        self.edge = edge
        let found = edge.routes.find(head.path)
        (route, rest) = (found?.route, found?.rest ?? "")
        caller = Caller(head, at: found?.route, edge)
        standing = edge.admission.isKnown(caller.token) ? .known : .stranger
        takesParts = found?.route.takesParts(head) ?? false
        timeLimit = found?.route.method.flatMap { [caller] in caller.limit(of: $0) }
    }

    var client: ClientKey? { caller.client }
    var bodyLimit: HTTPBodyLimit? { route?.body }

    func respond(to request: HTTPRequest) async -> HTTPResponse {
        var response: HTTPResponse
        do {
            let early = refusal(of: request) ?? edge.origins.preflight(request)
            response = if let early { early } else { try await answer(request) }
        } catch {
            response = refused(request, RPCError(anyError: error))
        }
        complete(&response, request)
        return response
    }

    /// As the errors of calls are: its client reads the code, not the status.
    func refuse(_ request: HTTPRequest, _ refusal: HTTPRefusal) -> HTTPResponse {
        var response = refused(request, RPCError(refusal.code, refusal.sentence), status: refusal.status)
        complete(&response, request)
        return response
    }

    /// Adds what every answer contains.
    private func complete(_ response: inout HTTPResponse, _ request: HTTPRequest) {
        response.headers.add("X-Request-Id", caller.requestID)
        response.headers.add("X-Content-Type-Options", "nosniff")
        for header in edge.origins.headers(for: request) { response.headers.add(header.0, header.1) }
    }

    private func answer(_ request: HTTPRequest) async throws -> HTTPResponse {
        guard let route else { return nothing(request) }
        guard route.methods.contains(request.method) else {
            return .methodNotAllowed(request, route.methods.joined(separator: ", "))
        }
        if route.visitors == .accounts { _ = try await edge.admission.claim(caller.token) }
        return try await route.answer(request, rest, caller)
    }
}

// MARK: refusals

extension Visit {
    private func refusal(of request: HTTPRequest) -> HTTPResponse? {
        if let refusal = edge.origins.refusal(request, isShownElsewhere: route?.isShownElsewhere ?? false) {
            // Clients of gRPC read nothing but its own form.
            if request.method == "POST", GRPCFormat(request.headers["content-type"]) != nil {
                return refused(request, RPCError(.permissionDenied, refusal.sentence))
            }
            return HTTPResponse(refusal.status, .permissionDenied, refusal.sentence)
        }
        guard let wait = edge.rate.refusal(caller.client) else { return nil }
        let milliseconds = UInt64(clamping: Int64(wait / .milliseconds(1)) + 1)
        return refused(
            request,
            RPCError(
                .resourceExhausted, "too many requests from this client",
                details: StatusDetails(retryAfterMs: milliseconds)))
    }

    /// The answer to a request that is refused before its route: a call of a stream has the error as its end.
    private func refused(_ request: HTTPRequest, _ error: RPCError, status: Int? = nil) -> HTTPResponse {
        let error = error.naming(caller.requestID)
        if request.method == "POST", let format = GRPCFormat(request.headers["content-type"]) {
            return GRPCHandler.refused(error, format)
        }
        if request.method == "POST", route?.isStream ?? false,
            let codec = ConnectCodec(request.headers["content-type"], isStream: true)
        {
            return ConnectStream.refused(error, codec)
        }
        var response = HTTPResponse(error)
        response.status = status ?? response.status
        return response
    }

    /// A path of two parts with a dot in the first looks like a method of a service that is not here.
    private func nothing(_ request: HTTPRequest) -> HTTPResponse {
        let parts = request.path.split(at: "/", omittingEmptySubsequences: false).dropFirst()
        guard parts.count == 2, parts.first?.holds(".") ?? false, request.method == "POST" else {
            return HTTPResponse(404, .notFound, "there is nothing here")
        }
        let path = request.path.dropFirst().prefix(200)
        return refused(request, RPCError(.unimplemented, "there is no method \(path)"), status: 404)
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
