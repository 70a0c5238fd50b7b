import Daemon
import EventLoops
import HTTPClient
import Storage
import Synchronization

/// Where all requests to one network go through: so many at once, at its rate, within its budget, and none while it is
/// left alone.
final class NetworkDesk: Sendable {
    /// How long a request waits for others to be answered before its lease is renewed.
    private static let renewal: Duration = .milliseconds(CellLease.milliseconds / 3)

    let live: LiveNetwork
    private let client: HTTPClient
    private let store: DiscoveryStore
    private let clock: WallClock
    private let blocking: BlockingPool
    private let running = Mutex(0)
    private let freed = Bell()
    private let counts = Mutex<[AskFailure.Kind?: UInt64]>([:])

    init(
        _ live: LiveNetwork, _ client: HTTPClient, _ store: DiscoveryStore, _ blocking: BlockingPool, _ clock: WallClock
    ) {
        self.live = live
        self.client = client
        self.store = store
        self.blocking = blocking
        self.clock = clock
    }

    /// Sends one request when it may go, and reads its answer. `renew` is called from time to time while as many as may
    /// wait for an answer, and once more when there is room: the rest takes less time than a lease.
    func ask(
        _ request: HTTPClientRequest, renew: () async throws -> Void
    ) async throws -> Result<ProviderPage, AskFailure> {
        try await enter(renew)
        defer { leave() }
        try await renew()
        switch try await store.turn(live.network.rawValue, live.rules, clock) {
        case .failure(let failure): return .failure(failure)
        case .success(let closing):
            let result = try await answer(request)
            counts.withLock { $0[result.failureKind, default: 0] += 1 }
            try await report(result, closing)
            return result
        }
    }

    /// How many requests were sent, by how they failed; nil for those that were answered.
    func sent(_ kind: AskFailure.Kind?) -> UInt64 { counts.withLock { $0[kind] ?? 0 } }

    private func answer(_ request: HTTPClientRequest) async throws -> Result<ProviderPage, AskFailure> {
        let response: HTTPClientResponse
        do throws(HTTPClientError) {
            response = try await client.send(request)
        } catch {
            if error == .cancelled || error == .closed { throw CancellationError() }
            return .failure(AskFailure(error))
        }
        // A long answer takes its time to read.
        let (provider, now) = (live.provider, clock.unixMilliseconds)
        return try await blocking.run {
            provider.answer(response, at: now).map { page in
                var page = page
                page.pauseMilliseconds = RetryAfter.afterLast(response, at: now)
                return page
            }
        }
    }

    private func report(_ result: Result<ProviderPage, AskFailure>, _ closing: Int64) async throws {
        let (network, now) = (live.network, clock.unixMilliseconds)
        try await store.database.write { transaction throws(SQLError) in
            var standing = try transaction.standing(network.rawValue)
            switch result {
            case .success(let page):
                standing.succeeded(since: closing)
                if let pause = page.pauseMilliseconds { standing.exhausted(for: pause, at: now) }
            case .failure(let failure): standing.failed(failure, at: now)
            }
            try transaction.put(standing, of: network.rawValue)
        }
    }

    private func enter(_ renew: () async throws -> Void) async throws {
        var due = MonotonicTime.now + Self.renewal
        while true {
            try Task.checkCancellation()
            let rung = freed.count
            let isIn = running.withLock { running in
                guard running < live.rules.atOnce else { return false }
                running += 1
                return true
            }
            if isIn { return }
            await freed.wait(after: rung, timeout: due.since(.now))
            guard MonotonicTime.now >= due else { continue }
            try await renew()
            due = .now + Self.renewal
        }
    }

    private func leave() {
        running.withLock { $0 -= 1 }
        freed.ring()
    }
}

extension Result where Failure == AskFailure {
    /// Why there is no answer; nil when there is one.
    fileprivate var failureKind: AskFailure.Kind? {
        switch self {
        case .success: nil
        case .failure(let failure): failure.kind
        }
    }
}
