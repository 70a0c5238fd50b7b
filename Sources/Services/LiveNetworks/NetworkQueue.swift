internal import Budgets
package import EventLoops
package import HTTPClient
package import Daemon
import Synchronization

/// The queue of all requests to one network: so many are sent at once, at its rate, within its budget, and none while
/// it is paused.
package final class NetworkQueue: Sendable {
    /// The network's name, under which its standing is stored.
    package let name: String
    private let power: NetworkSwitch
    package let rules: NetworkRules
    private let client: HTTPClient
    private let standings: any StandingStore
    private let clock: WallClock
    private let blocking: BlockingPool
    private let slots: FairSlots
    private let counts = Mutex<[AskFailure.Kind?: UInt64]>([:])

    /// A queue for requests to a network, which are counted under a name. `blocking` is where answers are parsed.
    package init(
        _ name: String, _ power: NetworkSwitch, _ rules: NetworkRules, _ client: HTTPClient,
        _ standings: any StandingStore, _ blocking: BlockingPool, _ clock: WallClock
    ) {
        self.name = name
        self.power = power
        self.rules = rules
        self.client = client
        self.standings = standings
        self.blocking = blocking
        self.clock = clock
        slots = FairSlots(rules.atOnce)
    }

    /// Whether the network is switched on.
    package var isOn: Bool { power.isOn }

    /// How many requests wait for others to be answered.
    var waitingCount: Int { slots.waitingCount }

    /// Sends one request when it may be sent and it is its asker's turn, and has its answer parsed by `read`, which is
    /// also given the time. Accounts take turns, however much each of them wants; so do the searches of an account,
    /// which have one request each at a time.
    /// `renew` is called when it is next, and from time to time before and after. When the network is switched off, it
    /// ends at once.
    package func ask<Answer: Sendable>(
        _ request: HTTPClientRequest, for asker: NetworkAsker = .service,
        renew: @escaping @Sendable () async throws -> Void = {},
        read: @escaping @Sendable (HTTPClientResponse, Int64) -> Result<Answer, AskFailure>
    ) async throws -> Result<Answer, AskFailure> {
        try await power.whileOn { try await self.askInTurn(request, asker, renew, read) } ?? .failure(.off)
    }

    private func askInTurn<Answer: Sendable>(
        _ request: HTTPClientRequest, _ asker: NetworkAsker, _ renew: @escaping @Sendable () async throws -> Void,
        _ read: @escaping @Sendable (HTTPClientResponse, Int64) -> Result<Answer, AskFailure>
    ) async throws -> Result<Answer, AskFailure> {
        async let _: Void = Self.repeating(renew)
        do {
            return try await Sharer.$current.withValue(asker.sharer) {
                try await slots.run {
                    try await renew()
                    return try await askNow(request, asker, read)
                }
            }
        } catch is BlockingPool.Refusal {
            return .failure(AskFailure(.unavailable, "too many requests to it are waiting"))
        }
    }

    /// Renews until it is cancelled. What fails is tried again: if a lease is lost meanwhile, others ask the same.
    private static func repeating(_ renew: @Sendable () async throws -> Void) async {
        while (try? await Task.sleep(for: AreaLease.renewal)) != nil { try? await renew() }
    }

    private func askNow<Answer: Sendable>(
        _ request: HTTPClientRequest, _ asker: NetworkAsker,
        _ read: @escaping @Sendable (HTTPClientResponse, Int64) -> Result<Answer, AskFailure>
    ) async throws -> Result<Answer, AskFailure> {
        switch try await standings.turn(name, rules, clock, for: asker) {
        case .failure(let failure): return .failure(failure)
        case .success(let closing):
            let (answer, pause) = try await send(request, read)
            counts.withLock { $0[answer.failureKind, default: 0] += 1 }
            try await report(answer.failure, pause, closing)
            return answer
        }
    }

    /// How many requests were sent, by how they failed; nil for those that were answered.
    package func sent(_ kind: AskFailure.Kind?) -> UInt64 { counts.withLock { $0[kind] ?? 0 } }

    /// The answer, and for how long the network will return no more; nil when it does not say so.
    private func send<Answer: Sendable>(
        _ request: HTTPClientRequest,
        _ read: @escaping @Sendable (HTTPClientResponse, Int64) -> Result<Answer, AskFailure>
    ) async throws -> (Result<Answer, AskFailure>, pause: Int64?) {
        let response: HTTPClientResponse
        var request = request
        request.agent = NetworkContact.agent(power.contact)
        do throws(HTTPClientError) {
            response = try await client.send(request)
        } catch {
            if error == .cancelled || error == .closed { throw CancellationError() }
            return (.failure(AskFailure(error)), nil)
        }
        // Parsing a long answer takes time.
        let now = clock.unixMilliseconds
        return (try await blocking.run { read(response, now) }, RetryAfter.afterLast(response, at: now))
    }

    private func report(_ failure: AskFailure?, _ pause: Int64?, _ closing: Int64) async throws {
        let now = clock.unixMilliseconds
        try await standings.change(name) { standing in
            if let failure {
                standing.failed(failure, at: now)
            } else {
                standing.succeeded(since: closing)
                if let pause { standing.exhausted(for: pause, at: now) }
            }
        }
    }
}

extension NetworkAsker {
    /// Whose turn it is: the account's; of the service's own requests, that of who it works for.
    fileprivate var sharer: Sharer { account.isEmpty ? .current : Sharer(ClientKey(account: account), .known) }
}

extension Result where Failure == AskFailure {
    /// Why there is no answer; nil when there is one.
    fileprivate var failure: AskFailure? {
        guard case .failure(let failure) = self else { return nil }
        return failure
    }

    fileprivate var failureKind: AskFailure.Kind? { failure?.kind }
}

/// Stores the standing of each network, where a restart finds it and where all replicas of a service share it.
/// Implemented by a database.
package protocol StandingStore: Sendable {
    /// The standing of a network, or of another server, by its name.
    func standing(_ name: String) async throws -> NetworkStanding

    /// Changes it, so that no two changes overlap. `body` may run again when its transaction is retried.
    func change<R: Sendable>(
        _ name: String, _ body: @escaping @Sendable (inout NetworkStanding) -> R
    ) async throws -> R

    /// The same, with what an asker has had of it.
    func change<R: Sendable>(
        _ name: String, _ rules: NetworkRules, for asker: NetworkAsker, at now: Int64,
        _ body: @escaping @Sendable (inout NetworkStanding, inout NetworkShare) -> R
    ) async throws -> R
}

extension StandingStore {
    /// Waits for the turn of a request to a network. Returns why it may not be sent, or else what
    /// `NetworkStanding.succeeded` needs when it is answered.
    package func turn(
        _ name: String, _ rules: NetworkRules, _ clock: WallClock, for asker: NetworkAsker = .service
    ) async throws -> Result<Int64, AskFailure> {
        let now = clock.unixMilliseconds
        let (permit, closing) = try await change(name, rules, for: asker, at: now) { standing, share in
            (standing.permit(at: now, rules, asker, &share), standing.closedUntil)
        }
        switch permit {
        case .refused(let failure): return .failure(failure)
        case .go(let wait):
            guard wait > 0 else { return .success(closing) }
            try await Task.sleep(for: .milliseconds(wait))
            // The network may have asked for a pause meanwhile.
            let later = clock.unixMilliseconds
            let refusal = try await standing(name).refusal(since: closing, at: later)
            return refusal.map { .failure($0) } ?? .success(closing)
        }
    }
}
