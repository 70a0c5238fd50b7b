import Fakes
import Contracts
import RPC
import TestSupport
import Wire

/// Places are found, pins there are none, photos failed.
struct FakeExplore: ExploreServiceFake {
    /// Whether the nearest place is missing.
    var isWrong = false

    func explore(_ request: ExploreRequest, _ context: CallContext) async throws -> Packed<ExploreResponse> {
        var response = found(request)
        response.branches.append(Self.photos)
        response.elapsed = DurationMessage(.milliseconds(13))
        response.plan = request.explain ? Self.plan : nil
        return Packed(response)
    }

    /// The photos are late. With a radius of 7 m the stream breaks off before they fail.
    func exploreStream(
        _ request: ExploreRequest, _ responses: ResponseWriter<ExploreStreamResponse>, _ context: CallContext
    ) async throws {
        let first = found(request)
        try await responses.write(ExploreStreamResponse(additions: first, waiting: ["photos"]))
        if request.radiusM == 7 { return }
        try await responses.write(ExploreStreamResponse(additions: ExploreResponse(branches: [Self.photos])))
        let summary = ExploreResponse(
            branches: first.branches + [Self.photos], elapsed: DurationMessage(.milliseconds(13)),
            plan: request.explain ? Self.plan : nil)
        try await responses.write(ExploreStreamResponse(additions: summary, done: true))
    }

    private func found(_ request: ExploreRequest) -> ExploreResponse {
        let places = Array(FakePlaces.street.dropFirst(isWrong ? 1 : 0).prefix(Int(request.limit ?? 20)))
        return ExploreResponse(
            places: places,
            branches: [
                Branch(
                    name: "places", count: UInt32(places.count), elapsed: DurationMessage(.milliseconds(3)),
                    truncated: true),
                Branch(name: "pins", elapsed: DurationMessage(.milliseconds(1))),
            ])
    }

    private static let photos = Branch(
        name: "photos", code: 14, message: "photos are down", elapsed: DurationMessage(.milliseconds(12)))

    private static let plan = AnswerPlan(steps: [
        step("explore", 0, 0, 13), step("wait", 1, 0, 1),
        step("places", 1, 1, 3, [PlanFact(name: "status", value: "ok"), PlanFact(name: "replica", value: "1 of 2")]),
        step("search", 2, 2, 1), step("photos", 1, 1, 12, [PlanFact(name: "status", value: "UNAVAILABLE")]),
    ])

    private static func step(
        _ name: String, _ depth: UInt32, _ start: Int64, _ duration: Int64, _ facts: [PlanFact] = []
    ) -> PlanStep {
        PlanStep(
            name: name, depth: depth, start: DurationMessage(.milliseconds(start)),
            duration: DurationMessage(.milliseconds(duration)), facts: facts)
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
