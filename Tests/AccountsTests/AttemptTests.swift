import AccountContracts
import Crypto
import RPC
import Storage
import TestSupport
import Testing
import Wire

@testable import Accounts

@Suite("P30 guessing passwords", .timeLimit(.minutes(2)))
struct AttemptTests {
    private static func attempt(_ counts: [AttemptCount], _ service: RunningAccounts) async throws -> Int64? {
        let now = service.clock.now
        return try await service.store.database.write { transaction throws(SQLError) in
            try transaction.attempt(counts, at: now)
        }
    }

    @Test("is over after ten wrong ones for an account from one address; one more is taken every minute and a half")
    func pair() async throws {
        try await RunningAccounts.with { service in
            _ = try await service.signUp("ann@example.org")
            for _ in 0..<10 {
                let error = try await errorOf { try await service.logIn("ann@example.org", "wrong") }
                #expect(error?.code == .unauthenticated)
            }
            // The right one is not even compared.
            let error = try await errorOf { try await service.logIn("ann@example.org") }
            #expect(error?.code == .resourceExhausted && error?.details?.retryAfterMs == 90_000)
            #expect(error?.message == "too many attempts; try again in 2 minutes")
            _ = try await service.logIn("ann@example.org", from: "192.0.2.2")
            service.clock.move(by: 90_000)
            _ = try await service.logIn("ann@example.org")
        }
    }

    @Test("that was refused, or cut off before it was compared, does not count")
    func givenBack() async throws {
        struct Refused: Error {}
        try await RunningAccounts.with { service in
            let counts = [AttemptCount.ofAccount("ann", at: "192.0.2.1")]
            for _ in 0..<20 {
                let wait = try await Self.attempt(counts, service)
                #expect(wait == nil)
                let task = Task {
                    try await service.store.database.counted(counts) { throw Refused() }
                }
                task.cancel()
                await #expect(throws: Refused.self) { try await task.value }
            }
        }
    }

    @Test("is forgotten one by one, also when the clock was set back")
    func levels() {
        let count = AttemptCount.ofSignUps("192.0.2.1")
        let (start, step) = (1_000_000_000_000 as Int64, 36_000 as Int64)
        for (stored, since, failures, wait) in [
            (100, start, 100, step), (100, start - step + 1, 100, 1), (100, start - step, 99, nil),
            (100, start - 100 * step, 0, nil), (3, start - 1000 * step, 0, nil), (100, start + 1000, 100, step + 1000),
            (100, start + 10 * 3_600_000, 0, nil), (100, Int64.min, 0, nil),
        ] as [(Int64, Int64, Int64, Int64?)] {
            let level = AttemptLevel(stored, since: since, count, at: start)
            #expect(level.failures == failures && level.wait(count, at: start) == wait, "\(stored) \(since)")
        }
    }

    @Test("from everywhere does not lock the owner out where she has been before")
    func owner() async throws {
        try await RunningAccounts.with { service in
            _ = try await service.signUp("ann@example.org", from: "198.51.100.7")
            let email = try EmailAddress("ann@example.org")
            // A hundred addresses, one wrong password each.
            for _ in 0..<100 {
                #expect(try await Self.attempt([.ofAccount(SHA256.text(email.key))], service) == nil)
            }
            let stranger = try await errorOf { try await service.logIn("ann@example.org", from: "203.0.113.9") }
            #expect(stranger?.code == .resourceExhausted)
            _ = try await service.logIn("ann@example.org", from: "198.51.100.7")
        }
    }

    @Test("for many accounts from one address is over after fifty")
    func address() async throws {
        try await RunningAccounts.with { service in
            for _ in 0..<50 { #expect(try await Self.attempt([.ofAddress("192.0.2.1")], service) == nil) }
            let error = try await errorOf { try await service.logIn("someone@example.org") }
            #expect(error?.code == .resourceExhausted)
            let codes = try await errorOf {
                try await service.accounts.resetPassword(
                    ResetPasswordRequest(code: "AAAAA", password: RunningAccounts.password), service.from())
            }
            #expect(codes?.code == .resourceExhausted)
            let other = try await errorOf { try await service.logIn("someone@example.org", from: "192.0.2.2") }
            #expect(other?.code == .unauthenticated)
        }
    }

    @Test("all at once counts each before the first is answered")
    func atOnce() async throws {
        try await RunningAccounts.with { service in
            _ = try await service.signUp("ann@example.org")
            let codes = try await withThrowingTaskGroup(of: RPCCode?.self) { group in
                for _ in 0..<14 {
                    group.addTask { try await errorOf { try await service.logIn("ann@example.org", "wrong") }?.code }
                }
                return try await group.reduce(into: [RPCCode?]()) { $0.append($1) }
            }
            #expect(codes.filter { $0 == .unauthenticated }.count == 10)
            #expect(codes.filter { $0 == .resourceExhausted }.count == 4)
        }
    }

    @Test("right ones count for nothing, and a clock that is set back keeps nobody out for longer than the window")
    func right() async throws {
        try await RunningAccounts.with { service in
            _ = try await service.signUp("ann@example.org")
            for _ in 0..<12 { _ = try await service.logIn("ann@example.org") }
            let count = AttemptCount.ofAddress("x")
            for _ in 0..<50 { _ = try await Self.attempt([count], service) }
            service.clock.move(by: -count.window / 2)
            let wait = try #require(try await Self.attempt([count], service))
            #expect((1...count.window).contains(wait))
            service.clock.move(by: -10 * 86_400_000)
            #expect(try await Self.attempt([count], service) == nil)
        }
    }
}
