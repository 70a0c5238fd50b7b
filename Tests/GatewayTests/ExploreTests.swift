import Contracts
import EventLoops
import RPC
import Synchronization
import TestSupport
import Testing
import Wire

@Suite("P35 Explore", .timeLimit(.minutes(3)))
struct ExploreTests {
    private static let centre = Coordinate(latitude: 60.1699, longitude: 24.9384)
    private static let request = ExploreRequest(centre: centre, budget: DurationMessage(seconds: 10))

    private func branch(_ answer: ExploreResponse, _ name: String) throws -> Branch {
        try #require(answer.branches.first { $0.name == name })
    }

    @Test("composes one answer from all services, as they gave it")
    func whole() async throws {
        try await RunningGateway.with { gateway in
            let answer = try await gateway.explore.explore(Self.request)
            #expect(answer.places == FakeBackends.places)
            #expect(answer.pins == [FakeBackends.pin])
            #expect(answer.photos == [FakeBackends.photo])
            #expect(answer.posts == FakeBackends.posts)
            #expect(answer.branches.map(\.name) == ["places", "pins", "photos", "posts"])
            #expect(answer.branches.map(\.code) == [0, 0, 0, 0])
            #expect(answer.branches.map(\.count) == [3, 1, 1, 2])
            #expect(answer.branches.map(\.truncated) == [false, true, false, false])
            #expect(answer.branches.allSatisfy { $0.message.isEmpty && $0.elapsed != nil })
            let longest = answer.branches.compactMap { $0.elapsed?.duration }.max()
            #expect(try #require(answer.elapsed?.duration) >= #require(longest))
        }
    }

    @Test("asks all services at the same time")
    func parallel() async throws {
        let arrived = Tally()
        // Each service answers only when all have been asked.
        let backends = FakeBackends(
            nearby: { _, _ in
                arrived.add()
                try await arrived.wait(for: 4)
                return NearbyResponse()
            },
            pinsNear: { _, _ in
                arrived.add()
                try await arrived.wait(for: 4)
                return PinsNearResponse()
            },
            photosNear: { _, _ in
                arrived.add()
                try await arrived.wait(for: 4)
                return PhotosNearResponse()
            },
            postsNear: { _, _ in
                arrived.add()
                try await arrived.wait(for: 4)
                return PostsNearResponse()
            })
        try await RunningGateway.with(backends) { gateway in
            let answer = try await gateway.explore.explore(Self.request)
            #expect(answer.branches.map(\.code) == [0, 0, 0, 0])
        }
    }

    @Test("passes on what was asked, and its defaults")
    func passesOn() async throws {
        let seen = Mutex<[NearbyRequest]>([])
        let backends = FakeBackends(nearby: { request, _ in
            seen.withLock { $0.append(request) }
            return NearbyResponse()
        })
        try await RunningGateway.with(backends) { gateway in
            _ = try await gateway.explore.explore(Self.request)
            _ = try await gateway.explore.explore(
                ExploreRequest(
                    centre: Self.centre, radiusM: 0, limit: 200, categories: ["amenity"],
                    excludedCategories: ["amenity/bar"], budget: DurationMessage(seconds: 10)))
        }
        let requests = seen.withLock { $0 }
        try #require(requests.count == 2)
        #expect(requests[0].centre == Self.centre)
        #expect(requests[0].radiusM == 1000 && requests[0].limit == 28)
        #expect(requests[1].radiusM == 0 && requests[1].limit == 200)
        #expect(requests[1].categories == ["amenity"] && requests[1].excludedCategories == ["amenity/bar"])
    }

    @Test("costs a service that is not there its branch, never the answer", arguments: ["places", "pins", "photos"])
    func down(name: String) async throws {
        try await RunningGateway.with(closed: [name]) { gateway in
            let answer = try await gateway.explore.explore(Self.request)
            let down = try branch(answer, name)
            #expect(down.code == RPCCode.unavailable.rawValue)
            #expect(!down.message.isEmpty && down.count == 0)
            // The service of the pins has the posts too.
            #expect(answer.branches.filter { $0.code == 0 }.count == (name == "pins" ? 2 : 3))
            #expect(answer.places.isEmpty == (name == "places"))
            #expect(answer.pins.isEmpty == (name == "pins"))
            #expect(answer.photos.isEmpty == (name == "photos"))
        }
    }

    @Test("answers although nobody is there")
    func allDown() async throws {
        try await RunningGateway.with(closed: ["places", "pins", "photos"]) { gateway in
            let answer = try await gateway.explore.explore(Self.request)
            #expect(answer.branches.map(\.code) == [14, 14, 14, 14])
            // B4: by their names, not by where they listen.
            #expect(
                answer.branches.map(\.message)
                    == ["places", "pins", "photos", "posts"].map { "\($0) can't be reached for now" })
        }
    }

    @Test("as a stream sends what is there within the budget, then each late branch, then all reports")
    func stream() async throws {
        let first = Tally()
        let backends = FakeBackends(photosNear: { _, _ in
            // Not before the first answer has come without it.
            try await first.wait(for: 1)
            return PhotosNearResponse(photos: [FakeBackends.photo])
        })
        try await RunningGateway.with(backends) { gateway in
            var request = Self.request
            request.budget = DurationMessage(.milliseconds(1))
            var answers: [ExploreStreamResponse] = []
            for try await answer in gateway.explore.exploreStream(request) {
                answers.append(answer)
                first.add()
            }
            let names = answers.flatMap { $0.additions?.branches.map(\.name) ?? [] }
            #expect(Set(names.dropLast(4)) == ["places", "pins", "photos", "posts"])
            #expect(names.count == 8 && answers.count >= 3)
            #expect(answers.first?.waiting.contains("photos") == true)
            #expect(answers.first?.additions?.photos.isEmpty == true)
            #expect(answers.map(\.done) == [Bool](repeating: false, count: answers.count - 1) + [true])
            #expect(answers.dropLast().last?.waiting.isEmpty == true)
            #expect(answers.flatMap { $0.additions?.photos ?? [] } == [FakeBackends.photo])
            #expect(answers.flatMap { $0.additions?.places ?? [] } == FakeBackends.places)
            #expect(answers.last?.additions?.branches.count == 4)
        }
    }

    @Test("as a stream comes at once when all branches are quick, and says which one has failed")
    func quickStream() async throws {
        let backends = FakeBackends(pinsNear: { _, _ in throw RPCError(.internalError, "lost") })
        try await RunningGateway.with(backends) { gateway in
            var request = Self.request
            request.budget = DurationMessage(seconds: 10)
            var answers: [ExploreStreamResponse] = []
            for try await answer in gateway.explore.exploreStream(request) { answers.append(answer) }
            #expect(answers.map(\.done) == [false, true])
            let failed = answers.first?.additions?.branches.filter { $0.code != 0 }
            #expect(failed?.map(\.name) == ["pins"] && failed?.map(\.message) == ["lost"])
        }
    }

    @Test("asks only the branches that are wanted, each once")
    func some() async throws {
        try await RunningGateway.with { gateway in
            var request = Self.request
            request.branches = ["posts", "places", "posts"]
            let answer = try await gateway.explore.explore(request)
            #expect(answer.branches.map(\.name) == ["places", "posts"])
            #expect(answer.pins.isEmpty && answer.photos.isEmpty && !answer.posts.isEmpty)
            #expect(gateway.behind.contexts.count == 2)
            request.branches = ["places", "networks"]
            let error = try await errorOf { try await gateway.explore.explore(request) }
            #expect(
                error?.message == "branches[1]: \"networks\" is not allowed; places, pins, photos, posts are")
        }
    }

    @Test("waits for a service that hangs no longer than the budget, and cancels what it asked")
    func hanging() async throws {
        let cancelled = Tally()
        let backends = FakeBackends(pinsNear: { _, _ in try await cancelled.addWhenCancelled() })
        try await RunningGateway.with(backends) { gateway in
            let start = MonotonicTime.now
            let request = ExploreRequest(centre: Self.centre, budget: DurationMessage(nanos: 500_000_000))
            let answer = try await gateway.explore.explore(request, CallOptions(timeout: .seconds(50)))
            #expect(MonotonicTime.now.since(start) < .seconds(20), "the budget holds, not the client's deadline")
            #expect(try branch(answer, "pins").code == RPCCode.deadlineExceeded.rawValue)
            #expect(try branch(answer, "pins").message == "pins did not answer in time")
            #expect(try branch(answer, "places").code == 0)
            #expect(try branch(answer, "photos").code == 0)
            #expect(answer.places == FakeBackends.places)
            try await cancelled.wait()
        }
    }

    @Test("keeps to a client's deadline that is shorter than the budget, and still answers")
    func shortDeadline() async throws {
        let backends = FakeBackends(photosNear: { _, _ in try await Tally().addWhenCancelled() })
        try await RunningGateway.with(backends) { gateway in
            // Connects, so that the short time is not spent on that.
            _ = try await gateway.explore.explore(
                ExploreRequest(centre: Self.centre, budget: DurationMessage(nanos: 300_000_000)))
            // The 10 ms that are kept for the answer may not do on a machine that is busy with other tests.
            var told: ExploreResponse?
            for _ in 1...5 where told == nil {
                told = try? await gateway.explore.explore(Self.request, CallOptions(timeout: .seconds(1)))
            }
            let answer = try #require(told)
            #expect(try branch(answer, "photos").code == RPCCode.deadlineExceeded.rawValue)
            #expect(try branch(answer, "places").code == 0)
        }
    }

    @Test("tells how a service refused, code and sentence")
    func failing() async throws {
        struct Secret: Error {}
        let backends = FakeBackends(
            nearby: { _, _ in throw RPCError(.resourceExhausted, "too much at once") },
            photosNear: { _, _ in throw Secret() })
        try await RunningGateway.with(backends) { gateway in
            let answer = try await gateway.explore.explore(Self.request)
            #expect(try branch(answer, "places").code == RPCCode.resourceExhausted.rawValue)
            #expect(try branch(answer, "places").message == "too much at once")
            #expect(try branch(answer, "photos").code == RPCCode.unknown.rawValue)
            #expect(try branch(answer, "pins").code == 0)
        }
    }

    @Test("cancels what it asked when the client leaves")
    func clientLeaves() async throws {
        let (started, cancelled) = (Tally(), Tally())
        let backends = FakeBackends(
            nearby: { _, _ in
                started.add()
                try await cancelled.addWhenCancelled()
            },
            pinsNear: { _, _ in
                started.add()
                try await cancelled.addWhenCancelled()
            },
            photosNear: { _, _ in
                started.add()
                try await cancelled.addWhenCancelled()
            })
        try await RunningGateway.with(backends) { gateway in
            let call = Task { try await errorOf { try await gateway.explore.explore(Self.request) } }
            try await started.wait(for: 3)
            call.cancel()
            #expect(try await call.value?.code == .cancelled)
            try await cancelled.wait(for: 3)
        }
    }

    /// A request that is refused, and the field that is to blame.
    struct BadInput: Sendable, CustomTestStringConvertible {
        let name: String
        let request: ExploreRequest
        let field: String
        var testDescription: String { name }

        init(_ name: String, _ field: String, _ change: (inout ExploreRequest) -> Void) {
            var request = ExploreRequest(centre: ExploreTests.centre)
            change(&request)
            self.name = name
            self.request = request
            self.field = field
        }
    }

    static let badInputs = [
        BadInput("no centre", "centre") { $0.centre = nil },
        BadInput("a latitude beyond the pole", "centre.latitude") { $0.centre?.latitude = 90.0001 },
        BadInput("a longitude beyond the antimeridian", "centre.longitude") { $0.centre?.longitude = -180.1 },
        BadInput("a latitude that is no number", "centre.latitude") { $0.centre?.latitude = .nan },
        BadInput("an infinite longitude", "centre.longitude") { $0.centre?.longitude = .infinity },
        BadInput("a negative radius", "radius_m") { $0.radiusM = -0.5 },
        BadInput("a radius that is too large", "radius_m") { $0.radiusM = 100_001 },
        BadInput("a radius that is no number", "radius_m") { $0.radiusM = .nan },
        BadInput("a limit of 0", "limit") { $0.limit = 0 },
        BadInput("a limit that is too large", "limit") { $0.limit = 201 },
        BadInput("a budget of 0", "budget") { $0.budget = DurationMessage() },
        BadInput("a negative budget", "budget") { $0.budget = DurationMessage(seconds: -1) },
        BadInput("a budget that is too long", "budget") { $0.budget = DurationMessage(seconds: 10, nanos: 1) },
        BadInput("a budget that is no duration", "budget") { $0.budget = DurationMessage(seconds: 1, nanos: -1) },
        BadInput("a budget beyond all numbers", "budget") { $0.budget = DurationMessage(seconds: .max, nanos: .max) },
    ]

    @Test("refuses what is out of range, names the field, and asks nobody")
    func badInput() async throws {
        try await RunningGateway.with { gateway in
            for bad in Self.badInputs {
                let error = try await errorOf { try await gateway.explore.explore(bad.request) }
                #expect(error?.code == .invalidArgument, "\(bad.name)")
                #expect(error?.details?.fieldViolations.first?.field == bad.field, "\(bad.name)")
                #expect(error?.details?.requestId.isEmpty == false, "\(bad.name)")
            }
            #expect(gateway.behind.contexts.isEmpty)
        }
    }

    @Test("takes the ends of every range")
    func goodInput() async throws {
        let requests = [
            ExploreRequest(centre: Coordinate(latitude: 90, longitude: 180), radiusM: 100_000, limit: 1),
            ExploreRequest(centre: Coordinate(latitude: -90, longitude: -180), radiusM: 0, limit: 200),
            ExploreRequest(centre: Coordinate(), budget: DurationMessage(seconds: 10)),
        ]
        try await RunningGateway.with { gateway in
            for request in requests {
                let answer = try await gateway.explore.explore(request)
                #expect(answer.branches.count == 4)
            }
        }
    }
}
