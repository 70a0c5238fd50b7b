import EventLoops
import Geo
import HTTP
import HTTPClient
import Daemon
import TestSupport
import Testing

@testable import LiveNetworks

/// What is searched for here is no place: the module is for whatever lies on the Earth.
@Suite("P14 An area is searched once, whatever its network gives", .timeLimit(.minutes(3)))
struct AreaSearchTests {
    private static let network = "pebbles"
    private let clock = ManualClock()
    private let book = MemoryBook()
    private let power = NetworkSwitch(network, isOn: true, contact: "tester@example.org")

    /// Runs `body` with a search of a network that gives this answer.
    private func run(
        rules: NetworkRules = NetworkRules(perSecond: 1_000, burst: 100, perDay: 1_000),
        answer: @escaping HTTPFixture.Answer,
        _ body: (AreaSearch<Pebble>, HTTPFixture) async throws -> Void
    ) async throws {
        try await HTTPFixture.with(answer) { fixture, url in
            let (loops, blocking) = (try EventLoopGroup(count: 1), BlockingPool(threadCount: 1))
            let client = HTTPClient(loop: loops.loops[0], agent: "Waymark (test)")
            let queue = NetworkQueue(Self.network, power, rules, client, book, blocking, clock.clock)
            let search = AreaSearch(PebbleProvider(url: url), queue, book, book, clock.clock)
            var failure: (any Error)?
            do { try await body(search, fixture) } catch { failure = error }
            await client.close()
            loops.shutDown()
            blocking.close()
            if let failure { throw failure }
        }
    }

    private static func question(_ centre: Coordinate, isForced: Bool = false) -> AreaQuestion {
        AreaQuestion(account: "ann", around: centre, radiusMetres: 500, isForced: isForced)
    }

    private static let centre = Result { try Coordinate(latitude: 60, longitude: 25) }

    @Test("what is known is not asked for again, until it has expired or the caller insists")
    func once() async throws {
        let centre = try Self.centre.get()
        try await run(answer: { _ in HTTPResponse(200, text: "a,b,c") }) { search, fixture in
            for _ in 1...2 {
                let finding = try await search.run(Self.question(centre))
                #expect(finding.status == .found && finding.count == 3 && finding.network == Self.network)
                #expect(fixture.requests.count == 1)
            }
            clock.move(by: 1)
            _ = try await search.run(Self.question(centre, isForced: true))
            #expect(fixture.requests.count == 2)
            clock.move(by: search.queue.rules.expiryMilliseconds)
            _ = try await search.run(Self.question(centre))
            #expect(fixture.requests.count == 3)
        }
    }

    @Test("two searches of one area at once send one request")
    func singleFlight() async throws {
        let (centre, gate) = (try Self.centre.get(), Gate())
        try await run(
            answer: { _ in
                await gate.pass()
                return HTTPResponse(200, text: "a")
            }
        ) { search, fixture in
            async let one = search.run(Self.question(centre))
            async let two = search.run(Self.question(centre))
            #expect(await eventually { fixture.requests.count == 1 })
            gate.open()
            let counts = try await (one.count, two.count)
            #expect(counts == (1, 1))
            #expect(fixture.requests.count == 1)
        }
    }

    @Test("a refusal frees the area, and the network is left alone for as long as it asks")
    func refused() async throws {
        let centre = try Self.centre.get()
        try await run(answer: { _ in HTTPResponse(429, headers: [("Retry-After", "60")]) }) { search, fixture in
            for _ in 1...2 {
                let finding = try await search.run(Self.question(centre))
                #expect(finding.status == .failed(.quota) && finding.retryAfterMilliseconds == 60_000)
            }
            #expect(fixture.requests.count == 1 && search.queue.sent(.quota) == 1 && book.leasedCount == 0)
        }
    }

    @Test("more than may be asked for is said in words of what the network gives")
    func truncated() async throws {
        let (centre, full) = (try Self.centre.get(), "a,b,c,d")
        var rules = NetworkRules(perSecond: 1_000, burst: 100, perDay: 1_000)
        rules.perSearch = 3
        try await run(rules: rules, answer: { _ in HTTPResponse(200, text: full) }) { search, fixture in
            let finding = try await search.run(Self.question(centre))
            #expect(finding.status == .truncated && finding.requestCount == 3)
            #expect(finding.message == "there are more pebbles than 3 requests can return")
            #expect(fixture.requests.count == 3)
            // The budget is the search's, not a pass's.
            let again = try await search.run(Self.question(centre))
            #expect(again.status == .truncated && again.requestCount == 0 && again.message == finding.message)
            #expect(fixture.requests.count == 3)
        }
    }
}
