import BaseContracts
package import RPC
import Refusals
package import Wire

/// Answers with what it is sent.
package struct EchoHandler: EchoServiceHandler {
    private static let maximumJoinedBytes = 1 << 20

    package init() {}

    package func echo(_ request: EchoRequest, _ context: CallContext) async throws -> EchoResponse {
        if let delay = request.delay?.duration { try await Task.sleep(for: delay) }
        return EchoResponse(payload: request.payload)
    }

    package func echoStream(
        _ request: EchoStreamRequest, _ responses: ResponseWriter<EchoStreamResponse>, _ context: CallContext
    ) async throws {
        for index in 0..<request.count {
            try await responses.write(EchoStreamResponse(payload: request.payload, index: index))
        }
    }

    package func echoJoined(
        _ requests: RequestStream<EchoJoinedRequest>, _ context: CallContext
    ) async throws -> EchoJoinedResponse {
        var response = EchoJoinedResponse()
        for try await request in requests {
            response.payload += request.payload
            response.count += 1
            guard response.payload.count <= Self.maximumJoinedBytes else {
                throw Refusal(
                    "payload", response.payload.count, "bytes", allowed: "at most \(Self.maximumJoinedBytes) in all are"
                )
            }
        }
        return response
    }

    package func echoEach(
        _ requests: RequestStream<EchoEachRequest>, _ responses: ResponseWriter<EchoEachResponse>,
        _ context: CallContext
    ) async throws {
        var index: UInt32 = 0
        for try await request in requests {
            try await responses.write(EchoEachResponse(payload: request.payload, index: index))
            index &+= 1
        }
    }
}
