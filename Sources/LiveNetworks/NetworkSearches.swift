package import EventLoops
package import Geo
package import Daemon
import Synchronization

/// The running searches of live networks. A search continues when no caller waits for it any longer, so that the next
/// call finds its result.
package final class NetworkSearches: Sendable {
    /// The most searches that run at once.
    private static let most = 256

    private let log: Log?
    private let running = Mutex(Running())

    private struct Running {
        var tasks: [UInt64: Task<Void, Never>] = [:]
        var lastID: UInt64 = 0
        var isStopped = false
    }

    package init(log: Log? = nil) { self.log = log }

    /// How many are running.
    package var count: Int { running.withLock { $0.tasks.count } }

    /// Asks one network, and waits for the result until a deadline.
    package func find<Item>(
        _ search: AreaSearch<Item>, around centre: Coordinate, radiusMetres: Double, isForced: Bool,
        until deadline: MonotonicTime
    ) async -> NetworkFinding {
        let network = search.provider.name
        guard search.queue.isOn else {
            return NetworkFinding(network: network, status: .disabled, message: AskFailure.off.reason)
        }
        let reach = min(radiusMetres, search.provider.about.maximumRadiusMetres ?? .infinity)
        let outcome = Outcome()
        guard start(search, centre, reach, isForced, outcome) else {
            return NetworkFinding(
                network: network, status: .failed(.unavailable), message: "too many searches are under way")
        }
        await outcome.bell.wait(after: 0, timeout: deadline.since(.now))
        guard var finding = outcome.finding else {
            return NetworkFinding(
                network: network, status: .failed(.timeout), message: "it has not answered yet; the query still runs"
            )
        }
        if reach < radiusMetres, finding.message.isEmpty {
            finding.message = "it is queried for \(Int(reach)) m, the most that it allows"
        }
        return finding
    }

    /// Cancels all searches. No new ones begin.
    package func stop() async {
        let tasks = running.withLock { running in
            running.isStopped = true
            return running.tasks.values
        }
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
    }

    private func start<Item>(
        _ search: AreaSearch<Item>, _ centre: Coordinate, _ radiusMetres: Double, _ isForced: Bool, _ outcome: Outcome
    ) -> Bool {
        running.withLock { running in
            guard !running.isStopped, running.tasks.count < Self.most else { return false }
            running.lastID += 1
            let id = running.lastID
            running.tasks[id] = Task {
                outcome.set(await self.run(search, centre, radiusMetres, isForced))
                self.running.withLock { _ = $0.tasks.removeValue(forKey: id) }
            }
            return true
        }
    }

    private func run<Item>(
        _ search: AreaSearch<Item>, _ centre: Coordinate, _ radiusMetres: Double, _ isForced: Bool
    ) async -> NetworkFinding {
        let network = search.provider.name
        do {
            return try await search.run(centre, radiusMetres, isForced: isForced)
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
