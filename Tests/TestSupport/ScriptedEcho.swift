import Contracts
package import RPC
package import Wire

/// The echo service with handlers that a test writes.
package struct ScriptedEcho: EchoService {
    package typealias Unary = @Sendable (EchoRequest, CallContext) async throws -> EchoResponse
    package typealias Stream =
        @Sendable (EchoStreamRequest, ResponseWriter<EchoStreamResponse>, CallContext) async throws -> Void

    private let unary: Unary
    private let stream: Stream

    package init(
        unary: @escaping Unary = { request, _ in EchoResponse(payload: request.payload) },
        stream: @escaping Stream = { request, responses, _ in
            for index in 0..<request.count {
                try await responses.write(EchoStreamResponse(payload: request.payload, index: index))
            }
        }
    ) {
        self.unary = unary
        self.stream = stream
    }

    package func echo(_ request: EchoRequest, _ context: CallContext) async throws -> EchoResponse {
        try await unary(request, context)
    }

    package func echoStream(
        _ request: EchoStreamRequest, _ responses: ResponseWriter<EchoStreamResponse>, _ context: CallContext
    ) async throws {
        try await stream(request, responses, context)
    }
}

extension Router {
    /// A router with the echo service alone.
    package static func echo(_ echo: ScriptedEcho = ScriptedEcho()) -> Router { Router([echo]) }
}
