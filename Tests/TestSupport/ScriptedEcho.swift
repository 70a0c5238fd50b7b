import BaseContracts
package import RPC
package import Wire

/// The echo service with handlers that a test writes.
package struct ScriptedEcho: EchoServiceHandler {
    package typealias Unary = @Sendable (EchoRequest, CallContext) async throws -> EchoResponse
    package typealias Stream =
        @Sendable (EchoStreamRequest, ResponseWriter<EchoStreamResponse>, CallContext) async throws -> Void

    package typealias Joined =
        @Sendable (RequestStream<EchoJoinedRequest>, CallContext) async throws -> EchoJoinedResponse
    package typealias Each =
        @Sendable (RequestStream<EchoEachRequest>, ResponseWriter<EchoEachResponse>, CallContext) async throws -> Void

    private let unary: Unary
    private let stream: Stream
    private let joined: Joined
    private let each: Each

    package init(
        unary: @escaping Unary = { request, _ in EchoResponse(payload: request.payload) },
        stream: @escaping Stream = { request, responses, _ in
            for index in 0..<request.count {
                try await responses.write(EchoStreamResponse(payload: request.payload, index: index))
            }
        },
        joined: @escaping Joined = { requests, _ in
            var response = EchoJoinedResponse()
            for try await request in requests {
                response.payload += request.payload
                response.count += 1
            }
            return response
        },
        each: @escaping Each = { requests, responses, _ in
            var index: UInt32 = 0
            for try await request in requests {
                try await responses.write(EchoEachResponse(payload: request.payload, index: index))
                index += 1
            }
        }
    ) {
        self.unary = unary
        self.stream = stream
        self.joined = joined
        self.each = each
    }

    package func echo(_ request: EchoRequest, _ context: CallContext) async throws -> EchoResponse {
        try await unary(request, context)
    }

    package func echoStream(
        _ request: EchoStreamRequest, _ responses: ResponseWriter<EchoStreamResponse>, _ context: CallContext
    ) async throws {
        try await stream(request, responses, context)
    }

    package func echoJoined(
        _ requests: RequestStream<EchoJoinedRequest>, _ context: CallContext
    ) async throws -> EchoJoinedResponse {
        try await joined(requests, context)
    }

    package func echoEach(
        _ requests: RequestStream<EchoEachRequest>, _ responses: ResponseWriter<EchoEachResponse>,
        _ context: CallContext
    ) async throws {
        try await each(requests, responses, context)
    }
}

extension Router {
    /// A router with the echo service alone.
    package static func echo(_ echo: ScriptedEcho = ScriptedEcho()) -> Router { Router([echo]) }
}
