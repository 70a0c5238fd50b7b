internal import Budgets
package import EventLoops
package import Daemon
import Synchronization

/// The running searches of live networks. A search continues when no caller waits for it any longer, so that the next
/// call finds its result.
package final class NetworkSearches: Sendable {
    /// The most searches of one network that run at once. Each has places of its own, so that one that doesn't answer
    /// costs only its own searches. Accounts share them, and one alone has half of them. A search begins or is refused:
    /// as nothing waits for a place, they are `FairShares` and no `FairQueue`.
    static let maximumOfNetwork = 128

    private let log: Log?
    private let running = Mutex(Running())

    /// The searches that run, by question: a caller with the same question waits for the same result.
    private struct Key: Hashable {
        let network: String
        let question: AreaQuestion
    }

    private struct Running {
        var searches: [Key: (task: Task<Void, Never>, outcome: Outcome)] = [:]
        var places: [String: FairShares] = [:]
        var isStopped = false

        /// Takes a place for a search, if there is one.
        mutating func take(_ key: Key) -> Bool {
            let client = ClientKey(account: key.question.account)
            return places[key.network, default: FairShares(limit: maximumOfNetwork)].take(1, for: client, .known)
        }

        mutating func end(_ key: Key) {
            searches[key] = nil
            places[key.network]?.give(1, of: ClientKey(account: key.question.account))
        }
    }

    package init(log: Log? = nil) { self.log = log }

    /// How many are running.
    package var count: Int { running.withLock { $0.searches.count } }

    /// Asks one network, and waits for the result until a deadline.
    package func find<Item>(
        _ search: AreaSearch<Item>, _ question: AreaQuestion, until deadline: MonotonicTime
    ) async -> NetworkFinding {
        let network = search.provider.name
        guard search.queue.isOn else {
            return NetworkFinding(network: network, status: .disabled, message: AskFailure.off.reason)
        }
        let reach = min(question.radiusMetres, search.provider.about.maximumRadiusMetres ?? .infinity)
        var reachable = question
        reachable.radiusMetres = reach
        guard let outcome = start(search, reachable) else {
            return NetworkFinding(
                network: network, status: .failed(.unavailable), message: "too many searches of it are under way")
        }
        await outcome.bell.wait(after: 0, timeout: deadline.since(.now))
        guard var finding = outcome.finding else {
            return NetworkFinding(
                network: network, status: .failed(.timeout), message: "it has not answered yet; the query still runs"
            )
        }
        if reach < question.radiusMetres, finding.message.isEmpty {
            finding.message = "it is queried for \(Int(reach)) m, the most that it allows"
        }
        return finding
    }

    /// Cancels all searches. No new ones begin.
    package func stop() async {
        let tasks = running.withLock { running in
            running.isStopped = true
            return running.searches.values.map(\.task)
        }
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
    }

    /// The result of a search that runs, or is begun; nil when too many do.
    private func start<Item>(_ search: AreaSearch<Item>, _ question: AreaQuestion) -> Outcome? {
        let key = Key(network: search.queue.name, question: question)
        return running.withLock { running in
            if let known = running.searches[key] { return known.outcome }
            guard !running.isStopped, running.take(key) else { return nil }
            let outcome = Outcome()
            let task = Task {
                let finding = await self.run(search, question)
                // First, so that a caller from now on is not given what was found before it.
                self.running.withLock { $0.end(key) }
                outcome.set(finding)
            }
            running.searches[key] = (task, outcome)
            return outcome
        }
    }

    private func run<Item>(_ search: AreaSearch<Item>, _ question: AreaQuestion) async -> NetworkFinding {
        let network = search.provider.name
        do {
            return try await search.run(question)
        } catch {
            if !Task.isCancelled {
                log?.error("a search of a live network failed", ["network": network, "reason": "\(error)"])
            }
            return NetworkFinding(
                network: network, status: .failed(.unavailable),
                message: "the search failed; the service's log says why")
        }
    }
}

/// The result of a search, for the caller that may still wait.
private final class Outcome: Sendable {
    let bell = Bell()
    private let value = Mutex<NetworkFinding?>(nil)

    var finding: NetworkFinding? { value.withLock { $0 } }

    func set(_ finding: NetworkFinding) {
        value.withLock { $0 = finding }
        bell.ring()
    }
}

extension NetworkSearches {
    private static let results: [(AskFailure.Kind?, String)] = [
        (nil, "ok"), (.timeout, "timeout"), (.quota, "quota"), (.auth, "auth"), (.malformed, "malformed"),
        (.unavailable, "unavailable"),
    ]

    /// The metrics of live networks.
    package func families(of queues: [NetworkQueue]) -> [MetricFamily] {
        let samples = queues.flatMap { queue in
            Self.results.map { kind, name in
                MetricSample(["network": queue.name, "result": name], .count(queue.sent(kind)))
            }
        }
        return [
            MetricFamily(
                "waymark_live_requests_total", .counter, "Requests to live networks that have ended.", samples),
            MetricFamily(
                "waymark_live_searches", .gauge, "Searches of live networks that are under way.",
                .count(UInt64(clamping: count))),
        ]
    }
}
