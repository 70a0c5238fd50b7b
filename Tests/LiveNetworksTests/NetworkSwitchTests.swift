import EventLoops
import Geo
import HTTP
import HTTPClient
import LiveNetworks
import TestSupport
import TestTools
import Testing

@testable import LiveNetworks

@Suite("P14 P45 A switch of a network", .timeLimit(.minutes(3)))
struct NetworkSwitchTests {
    private let power = NetworkSwitch("pebbles", isOn: true, contact: "ann@example.org")

    /// Runs `body` with a queue that sends one request at a time, and the address that it may ask.
    private func run(
        answer: @escaping HTTPFixture.Answer,
        _ body: (NetworkQueue, HTTPFixture, HTTPClientRequest) async throws -> Void
    ) async throws {
        try await HTTPFixture.with(answer) { fixture, url in
            let (loops, blocking) = (try EventLoopGroup(count: 1), BlockingPool(threadCount: 1))
            let client = HTTPClient(loop: loops.loops[0], agent: "Waymark (test)")
            let rules = NetworkRules(perSecond: 1_000, burst: 100, perDay: 1_000, atOnce: 1)
            let queue = NetworkQueue("pebbles", power, rules, client, MemoryBook(), blocking, ManualClock().clock)
            var failure: (any Error)?
            do { try await body(queue, fixture, HTTPClientRequest(url: url)) } catch { failure = error }
            await client.close()
            loops.shutDown()
            blocking.close()
            if let failure { throw failure }
        }
    }

    private static func status(_ queue: NetworkQueue, _ request: HTTPClientRequest) async throws -> String {
        let answer = try await queue.ask(request) { response, _ in .success(response.status) }
        switch answer {
        case .success(let status): return "\(status)"
        case .failure(let failure): return failure.reason
        }
    }

    @Test("a network that is off is not asked; on, it learns whom it may write to")
    func contact() async throws {
        try await run(answer: { _ in HTTPResponse(200) }) { queue, fixture, request in
            power.turn(on: false, contact: "ann@example.org")
            let off = try await Self.status(queue, request)
            #expect(off == "it is switched off")
            #expect(fixture.requests.isEmpty && !queue.isOn)
            power.turn(on: true, contact: "bo@example.org")
            let on = try await Self.status(queue, request)
            #expect(on == "200")
            #expect(fixture.requests.map { $0.headers["user-agent"] } == ["Waymark (self-hosted; bo@example.org)"])
        }
    }

    @Test("switching it off ends the request under way and those that wait for it")
    func off() async throws {
        let gate = Gate()
        try await run(
            answer: { _ in
                await gate.pass()
                return HTTPResponse(200)
            },
            { queue, fixture, request in
                async let first = Self.status(queue, request)
                while fixture.requests.isEmpty { await fixture.bell.wait(after: 0) }
                async let second = Self.status(queue, request)
                power.turn(on: false, contact: "")
                // No answer comes: the gate is closed.
                let answers = try await [first, second]
                #expect(answers == ["it is switched off", "it is switched off"])
                #expect(fixture.requests.count == 1)
                gate.open()
            })
    }

    @Test("a search that is given up by its caller is not taken for one that was switched off")
    func cancelled() async throws {
        let gate = Gate()
        try await run(
            answer: { _ in
                await gate.pass()
                return HTTPResponse(200)
            },
            { queue, fixture, request in
                let task = Task { try await Self.status(queue, request) }
                while fixture.requests.isEmpty { await fixture.bell.wait(after: 0) }
                task.cancel()
                await #expect(throws: CancellationError.self) { try await task.value }
                gate.open()
            })
    }
}
