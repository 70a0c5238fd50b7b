import Contracts
package import RPC
package import Wire

/// Answers with what it is sent.
package struct EchoHandler: EchoService {
    private static let mostAnswers: UInt32 = 1_000_000

    package init() {}

    package func echo(_ request: EchoRequest, _ context: CallContext) async throws -> EchoResponse {
        if let delay = request.delay { try await wait(delay) }
        return EchoResponse(payload: request.payload)
    }

    package func echoStream(
        _ request: EchoStreamRequest, _ responses: ResponseWriter<EchoStreamResponse>, _ context: CallContext
    ) async throws {
        guard request.count <= Self.mostAnswers else {
            throw RPCError.invalid(
                "count", "\(request.count) answers were asked for, 0 to \(Self.mostAnswers) are allowed")
        }
        for index in 0..<request.count {
            try await responses.write(EchoStreamResponse(payload: request.payload, index: index))
        }
    }

    private func wait(_ delay: DurationMessage) async throws {
        guard let duration = delay.duration, duration >= .zero else {
            throw RPCError.invalid("delay", "a duration of at least 0 is needed")
        }
        try await Task.sleep(for: duration)
    }
}
