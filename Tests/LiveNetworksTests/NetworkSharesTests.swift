import Daemon
import EventLoops
import Geo
import HTTP
import HTTPClient
import TestSupport
import Testing

@testable import LiveNetworks

@Suite("P41 P68 Who asks a network has a share of it, and each network its own", .timeLimit(.minutes(3)))
struct NetworkSharesTests {
    /// Runs `body` with a client, the address that it may ask, and how a queue of a network is made, which sends one
    /// request at a time.
    private static func run(
        answer: @escaping HTTPFixture.Answer,
        _ body: (HTTPFixture, _ url: String, _ queue: (String) -> NetworkQueue) async throws -> Void
    ) async throws {
        try await HTTPFixture.with(answer) { fixture, url in
            let (loops, blocking) = (try EventLoopGroup(count: 1), BlockingPool(threadCount: 1))
            let client = HTTPClient(loop: loops.loops[0], agent: "Waymark (test)")
            let rules = NetworkRules(perSecond: 1_000, burst: 1_000, perDay: 10_000, atOnce: 1)
            var failure: (any Error)?
            do {
                try await body(fixture, url) { name in
                    let power = NetworkSwitch(name, isOn: true, contact: "tester@example.org")
                    return NetworkQueue(name, power, rules, client, MemoryBook(), blocking, ManualClock().clock)
                }
            } catch { failure = error }
            await client.close()
            loops.shutDown()
            blocking.close()
            if let failure { throw failure }
        }
    }

    private static func search(_ queue: NetworkQueue, _ url: String) -> AreaSearch<Pebble> {
        let book = MemoryBook()
        return AreaSearch(PebbleProvider(url: url), queue, book, book, ManualClock().clock)
    }

    private static func question(_ account: String, _ number: Int = 0) throws -> AreaQuestion {
        AreaQuestion(
            account: account, around: try Coordinate(latitude: 60, longitude: Double(number)), radiusMetres: 500)
    }

    @Test("a network that never answers costs its own searches alone, and one account at it not all of those")
    func silent() async throws {
        let gate = Gate()
        try await Self.run(
            answer: { request in
                if request.path.hasPrefix("/silent") { await gate.pass() }
                return HTTPResponse(200, text: "a,b,c")
            }
        ) { _, url, queue in
            let searches = NetworkSearches()
            let (silent, other) = (Self.search(queue("silent"), url + "/silent"), Self.search(queue("pebbles"), url))
            /// Whether a search is under way; none has an answer.
            func begins(_ question: AreaQuestion) async -> Bool {
                let finding = await searches.find(silent, question, until: .now)
                if finding.status == .failed(.timeout) { return true }
                #expect(finding.message == "too many searches of it are under way")
                return false
            }
            var begun = 0
            for number in 0..<NetworkSearches.maximumOfNetwork where await begins(try Self.question("ann", number)) {
                begun += 1
            }
            #expect(begun == NetworkSearches.maximumOfNetwork / 2)
            for number in 0..<300 where await begins(try Self.question("account \(number)")) { begun += 1 }
            // As much stays free as the next one may have.
            #expect(begun == NetworkSearches.maximumOfNetwork - 1 && searches.count == begun)

            let finding = await searches.find(other, try Self.question("bo"), until: .now + .seconds(60))
            #expect(finding.status == .found && finding.count == 3, "\(finding)")
            await searches.stop()
            #expect(searches.count == 0)
            gate.open()
        }
    }

    @Test("an account with many wishes has one turn between those of the others, and its own go as they came")
    func turns() async throws {
        let gate = Gate()
        try await Self.run(
            answer: { _ in
                await gate.pass()
                return HTTPResponse(200)
            }
        ) { fixture, url, queue in
            let queue = queue("pebbles")
            let wishes = ["ann", "ann", "ann", "ann", "bo", "cy", "cy"].enumerated().map { "\($1)\($0)" }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (waiting, wish) in (["first"] + wishes).enumerated() {
                    group.addTask {
                        let asker = NetworkAsker(account: String(wish.prefix { $0.isLetter }))
                        _ = try await queue.ask(HTTPClientRequest(url: "\(url)/\(wish)"), for: asker) { answer, _ in
                            .success(answer.status)
                        }
                    }
                    while fixture.requests.isEmpty { await fixture.bell.wait(after: 0) }
                    while queue.waitingCount < waiting { await Task.yield() }
                }
                gate.open()
                try await group.waitForAll()
            }
            #expect(
                fixture.requests.map(\.path)
                    == ["/first", "/ann0", "/bo4", "/cy5", "/ann1", "/cy6", "/ann2", "/ann3"])
        }
    }
}
