import Contracts
import RPC
import TestSupport
import Wire

/// Places are found, pins there are none, photos failed.
struct FakeExplore: ExploreServiceFake {
    func explore(_ request: ExploreRequest, _ context: CallContext) async throws -> Packed<ExploreResponse> {
        let response = ExploreResponse(
            places: Array(FakePlaces.street.prefix(Int(request.limit ?? 20))),
            branches: [
                Branch(name: "places", count: 10, elapsed: DurationMessage(.milliseconds(3)), truncated: true),
                Branch(name: "pins", elapsed: DurationMessage(.milliseconds(1))),
                Branch(
                    name: "photos", code: 14, message: "photos are down", elapsed: DurationMessage(.milliseconds(12))),
            ],
            elapsed: DurationMessage(.milliseconds(13)))
        return Packed(response)
    }
}

/// Answers what it is sent.
struct FakeEcho: EchoServiceHandler {
    func echo(_ request: EchoRequest, _ context: CallContext) async throws -> EchoResponse {
        EchoResponse(payload: request.payload)
    }

    func echoStream(
        _ request: EchoStreamRequest, _ responses: ResponseWriter<EchoStreamResponse>, _ context: CallContext
    ) async throws {
        for index in 0..<request.count {
            try await responses.write(EchoStreamResponse(payload: request.payload, index: index))
        }
    }

    func echoJoined(
        _ requests: RequestStream<EchoJoinedRequest>, _ context: CallContext
    ) async throws -> EchoJoinedResponse {
        var response = EchoJoinedResponse()
        for try await request in requests {
            response.payload += request.payload
            response.count += 1
        }
        return response
    }

    func echoEach(
        _ requests: RequestStream<EchoEachRequest>, _ responses: ResponseWriter<EchoEachResponse>,
        _ context: CallContext
    ) async throws {
        for try await request in requests { try await responses.write(EchoEachResponse(payload: request.payload)) }
    }
}
