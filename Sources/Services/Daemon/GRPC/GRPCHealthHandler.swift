import BaseContracts
import RPC
import Wire

/// The health of the process, as clients of gRPC ask for it: load balancers, Kubernetes' probes.
struct GRPCHealthHandler: HealthHandler {
    let health: ServingHealth

    func check(_ request: HealthCheckRequest, _ context: CallContext) async throws -> HealthCheckResponse {
        let state = try await health.check(CheckRequest(service: request.service), context)
        return HealthCheckResponse(status: Self.readiness(state.status))
    }

    /// A service that is not here has a state of its own: it may still come.
    func watch(
        _ request: HealthCheckRequest, _ responses: ResponseWriter<HealthCheckResponse>, _ context: CallContext
    ) async throws {
        let sink = Translated(responses: responses)
        do {
            try await health.watch(WatchRequest(service: request.service), ResponseWriter(sink), context)
        } catch let error as RPCError where error.code == .notFound {
            try await responses.write(HealthCheckResponse(status: .serviceUnknown))
            try await health.waitForStop()
        }
    }

    private static func readiness(_ status: ServingStatus) -> HealthCheckResponse.Readiness {
        switch status {
        case .serving: .serving
        case .notServing: .notServing
        default: .unknown
        }
    }

    /// Writes each state in gRPC's words.
    private struct Translated: AnswerSink {
        let responses: ResponseWriter<HealthCheckResponse>

        func write(packed bytes: [UInt8]) async throws {
            let status = try WatchResponse(packed: bytes).status
            try await responses.write(HealthCheckResponse(status: GRPCHealthHandler.readiness(status)))
        }
    }
}
