import Contracts
import EventLoops
import RPC
import TestSupport
import Testing
import Wire

@testable import Gateway

@Suite("P54 Explore explains itself", .timeLimit(.minutes(3)))
struct ExplorePlanTests {
    private static let request = ExploreRequest(
        centre: Coordinate(latitude: 60.1699, longitude: 24.9384), budget: DurationMessage(seconds: 10), explain: true)

    /// The photos come when they are let. The places say that they waited, searched and encoded for 30 µs.
    private static func slow(_ photos: Tally) -> FakeBackends {
        FakeBackends(
            nearby: { request, _ in
                #expect(request.explain)
                return NearbyResponse(
                    places: FakeBackends.places,
                    explanation: SearchExplanation(
                        indexCount: 2, visitedCount: 7, testedCount: 30, filteredCount: 4,
                        duration: DurationMessage(.microseconds(20)), queued: DurationMessage(.microseconds(6)),
                        encoding: DurationMessage(.microseconds(4)), foundCount: 3))
            },
            photosNear: { _, _ in
                try await photos.wait(for: 1)
                return PhotosNearResponse()
            })
    }

    /// The part of `whole` that the steps of this depth cover together.
    private func covered(_ whole: PlanStep, by steps: [PlanStep], depth: UInt32) throws -> Double {
        let spans = try steps.filter { $0.depth == depth }.map { try span($0) }.sorted { $0.lowerBound < $1.lowerBound }
        var (sum, end) = (Duration.zero, try span(whole).lowerBound)
        for span in spans where span.upperBound > end {
            sum += span.upperBound - max(end, span.lowerBound)
            end = span.upperBound
        }
        return try sum / #require(whole.duration?.duration)
    }

    private func span(_ step: PlanStep) throws -> Range<Duration> {
        let (start, duration) = (try #require(step.start?.duration), try #require(step.duration?.duration))
        try #require(duration >= .zero)
        return start..<(start + duration)
    }

    private func step(_ plan: AnswerPlan, _ name: String) throws -> PlanStep {
        try #require(plan.steps.first { $0.name == name })
    }

    private func fact(_ step: PlanStep, _ name: String) -> String? { step.facts.first { $0.name == name }?.value }

    @Test("its steps cover the time that it reports, within 5 %, and those of the places theirs")
    func coverage() async throws {
        let photos = Tally()
        try await RunningGateway.with(Self.slow(photos)) { gateway in
            async let slow = gateway.explore.explore(Self.request)
            // The photos take as long as these calls.
            for _ in 0..<50 {
                var quick = Self.request
                quick.branches = ["pins"]
                _ = try await gateway.explore.explore(quick)
            }
            photos.add()
            let answer = try await slow
            #expect(answer.places == FakeBackends.places && answer.branches.count == 4)
            let plan = try #require(answer.plan)
            #expect(
                plan.steps.map(\.name) == [
                    "explore", "wait", "places", "send", "queue", "search", "encode", "receive", "pins", "photos",
                    "posts", "merge", "encode",
                ])
            let whole = plan.steps[0]
            #expect(whole.depth == 0 && whole.duration == answer.elapsed)
            #expect(try covered(whole, by: plan.steps, depth: 1) >= 0.95)
            let places = try step(plan, "places")
            #expect(try covered(places, by: plan.steps, depth: 2) > 0.999)
            for step in plan.steps where step.depth == 2 {
                #expect(try span(places).lowerBound <= span(step).lowerBound)
                #expect(try span(step).upperBound <= span(places).upperBound)
            }
            #expect(try step(plan, "queue").duration == DurationMessage(.microseconds(6)))
            #expect(try step(plan, "search").duration == DurationMessage(.microseconds(20)))
            let search = try step(plan, "search")
            #expect(fact(search, "visited") == "7" && fact(search, "tested") == "30")
        }
    }

    private static func did(_ microseconds: Int) -> SearchExplanation {
        SearchExplanation(
            indexCount: 1, testedCount: UInt64(microseconds), duration: DurationMessage(.microseconds(microseconds)))
    }

    @Test("of pins, photos and posts too, where their services say what they did")
    func otherBranches() async throws {
        let backends = FakeBackends(
            pinsNear: { request, _ in PinsNearResponse(explanation: request.explain ? Self.did(1) : nil) },
            photosNear: { request, _ in PhotosNearResponse(explanation: request.explain ? Self.did(2) : nil) },
            postsNear: { request, _ in PostsNearResponse(explanation: request.explain ? Self.did(3) : nil) })
        try await RunningGateway.with(backends) { gateway in
            var request = Self.request
            request.branches = ["pins", "photos", "posts"]
            let plan = try #require(try await gateway.explore.explore(request).plan)
            let parts = ["send", "queue", "search", "encode", "receive"]
            #expect(
                plan.steps.map(\.name) == ["explore", "wait", "pins"] + parts + ["photos"] + parts + ["posts"] + parts
                    + ["merge", "encode"])
            let searches = plan.steps.filter { $0.name == "search" }
            #expect(searches.map(\.duration) == (1...3).map { DurationMessage(.microseconds($0)) })
            #expect(searches.map { fact($0, "tested") } == ["1", "2", "3"])
        }
    }

    @Test("says of each branch how it went and which replica answered, by its number only")
    func branches() async throws {
        try await RunningGateway.with(closed: ["photos"]) { gateway in
            let plan = try #require(try await gateway.explore.explore(Self.request).plan)
            let (places, photos) = (try step(plan, "places"), try step(plan, "photos"))
            #expect(places.facts.map(\.name) == ["status", "found", "replica"])
            #expect(fact(places, "status") == "ok" && fact(places, "found") == "3")
            #expect(fact(try step(plan, "pins"), "found") == "1+")
            #expect(fact(places, "replica") == "1 of 1")
            #expect(fact(photos, "status") == "UNAVAILABLE" && fact(photos, "found") == nil)
            #expect(plan.steps.allSatisfy { step in step.facts.allSatisfy { !$0.value.contains("127.0.0.1") } })
        }
    }

    @Test("as a stream in its last answer, which its steps cover too")
    func stream() async throws {
        let photos = Tally()
        try await RunningGateway.with(Self.slow(photos)) { gateway in
            var request = Self.request
            request.budget = DurationMessage(.milliseconds(1))
            var answers: [ExploreStreamResponse] = []
            for try await answer in gateway.explore.exploreStream(request) {
                answers.append(answer)
                photos.add()
            }
            #expect(answers.dropLast().allSatisfy { $0.additions?.plan == nil })
            let plan = try #require(answers.last?.additions?.plan)
            #expect(plan.steps.count { $0.name == "answer" } == answers.count - 1)
            #expect(try covered(plan.steps[0], by: plan.steps, depth: 1) >= 0.95)
        }
    }

    @Test("only when it is asked to")
    func off() async throws {
        let backends = FakeBackends(nearby: { request, _ in
            #expect(!request.explain)
            return NearbyResponse(places: FakeBackends.places)
        })
        try await RunningGateway.with(backends) { gateway in
            var request = Self.request
            request.explain = false
            let answer = try await gateway.explore.explore(request)
            #expect(answer.plan == nil && answer.elapsed != nil && answer.places == FakeBackends.places)
            for try await answer in gateway.explore.exploreStream(request) { #expect(answer.additions?.plan == nil) }
        }
    }
}
