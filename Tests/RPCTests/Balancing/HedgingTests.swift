import BaseContracts
import EventLoops
import RPC
import Synchronization
import TestSupport
import Testing
import Wire

/// Two servers, of which the one that a call comes to first keeps it until it is cancelled or let go.
private final class StallingServers: Sendable {
    private struct State {
        var isStalling = false
        /// Where each call came to first, by its payload.
        var first: [[UInt8]: UInt8] = [:]
    }

    private let state = Mutex(State())
    /// Calls that came before any was kept.
    let before = Tally()
    /// Calls that came to a second server.
    let seconds = Tally()
    let stalled = Tally()
    let cancelled = Tally()
    private let released = Tally()

    func stall() { state.withLock { $0.isStalling = true } }

    func letGo() { released.add() }

    func first(of payload: [UInt8]) -> UInt8? { state.withLock { $0.first[payload] } }

    func router(_ number: UInt8) -> Router {
        .echo(
            ScriptedEcho(unary: { request, _ in
                try await self.come(request.payload, to: number)
                return EchoResponse(payload: [number])
            }))
    }

    private func come(_ payload: [UInt8], to number: UInt8) async throws {
        let stalls = state.withLock { state in
            guard state.isStalling else { return false }
            if let first = state.first[payload], first != number { return false }
            state.first[payload] = number
            return true
        }
        guard stalls else {
            (state.withLock { $0.isStalling } ? seconds : before).add()
            return
        }
        stalled.add()
        do {
            try await released.wait()
        } catch {
            cancelled.add()
            throw error
        }
    }
}

@Suite("P35 Hedged calls", .timeLimit(.minutes(3)))
struct HedgingTests {
    private static var patient: CallOptions { CallOptions(timeout: .seconds(120)) }

    private static var options: CallOptions {
        var options = patient
        options.isHedged = true
        return options
    }

    private static func with(_ body: (StallingServers, EchoServiceClient) async throws -> Void) async throws {
        let stalling = StallingServers()
        try await TestServer.with(each: (0..<2).map { stalling.router($0) }) { servers in
            try await servers.name.withClient(loops: 1) { client in
                let echo = EchoServiceClient(client)
                // Once both have answered, both are connected.
                var answered: Set<[UInt8]> = []
                while answered.count < 2 { answered.insert(try await echo.echo(EchoRequest(), patient).payload) }
                // So many say how long a call takes. None of them is late yet: the whole budget is left.
                for _ in 0..<20 { _ = try await echo.echo(EchoRequest(), options) }
                stalling.stall()
                try await body(stalling, echo)
            }
        }
    }

    @Test("a second address answers when the first is later than usual, and the first call is cancelled")
    func second() async throws {
        try await Self.with { stalling, echo in
            let note = CallNote()
            var options = Self.options
            options.note = note
            let answer = try await echo.echo(EchoRequest(payload: [1]), options)
            #expect(answer.payload.first != stalling.first(of: [1]))
            #expect(note.replica?.attempts == 2)
            try await stalling.cancelled.wait(for: 1)
        }
    }

    @Test("no more second calls are made than retries are allowed")
    func budget() async throws {
        try await Self.with { stalling, echo in
            let (calls, start) = (100, MonotonicTime.now)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<calls {
                    group.addTask {
                        _ = try await echo.echo(EchoRequest(payload: [1, UInt8(number)]), Self.options)
                    }
                }
                try await stalling.stalled.wait(for: calls)
                try await stalling.seconds.wait(for: 20)
                stalling.letGo()
                try await group.waitForAll()
            }
            // In each ten seconds, of which the last one is under way, 20 and a fifth of the calls.
            let windows = Int(MonotonicTime.now.since(start) / .seconds(9)) + 1
            #expect(stalling.seconds.count <= windows * (20 + (stalling.before.count + calls) / 5))
        }
    }

    @Test("a call that does not ask for it is never sent twice")
    func plain() async throws {
        try await Self.with { stalling, echo in
            let call = Task { try await echo.echo(EchoRequest(payload: [1]), Self.patient) }
            try await stalling.stalled.wait(for: 1)
            // What is hedged passes by.
            _ = try await echo.echo(EchoRequest(payload: [2]), Self.options)
            stalling.letGo()
            #expect(try await call.value.payload.first == stalling.first(of: [1]))
            #expect(stalling.seconds.count == 1)
        }
    }
}
