import Daemon
import EventLoops
import Geo
import HTTPClient
import Storage
import Synchronization

/// Asks live networks. What was begun goes on when nobody waits for it any longer, so that the next call finds it.
final class Discovery: Sendable {
    /// Searches that are under way at once.
    private static let mostSearches = 256

    let store: DiscoveryStore
    private let searches: [Network: AreaSearch]
    private let client: HTTPClient
    private let log: Log?
    private let running = Mutex(Running())

    private struct Running {
        var tasks: [UInt64: Task<Void, Never>] = [:]
        var lastID: UInt64 = 0
        var isStopped = false
    }

    init(
        _ networks: [LiveNetwork], store: DiscoveryStore, places: DiscoveredIndex, client: HTTPClient,
        blocking: BlockingPool, clock: WallClock = .system, log: Log? = nil
    ) {
        self.store = store
        self.client = client
        self.log = log
        var searches: [Network: AreaSearch] = [:]
        for live in networks {
            let desk = NetworkDesk(live, client, store, blocking, clock)
            searches[live.network] = AreaSearch(desk: desk, store: store, places: places, clock: clock)
        }
        self.searches = searches
    }

    /// Those that are configured, in the order of all.
    var configured: [Network] { LiveNetwork.names.filter { searches[$0] != nil } }

    /// What is known of a configured network.
    func about(_ network: Network) -> ProviderAbout? { searches[network]?.desk.live.provider.about }

    /// How many requests were sent to a network, by how they failed; nil for those that were answered.
    func sent(to network: Network, _ kind: AskFailure.Kind?) -> UInt64 { searches[network]?.desk.sent(kind) ?? 0 }

    /// How many searches are under way.
    var searchCount: Int { running.withLock { $0.tasks.count } }

    /// Asks one network, and waits for what comes of it until a deadline.
    func find(
        _ network: Network, around centre: Coordinate, radiusMetres: Double, isForced: Bool,
        until deadline: MonotonicTime
    ) async -> NetworkFinding {
        guard let search = searches[network] else {
            return NetworkFinding(
                network: network, status: .disabled, message: "the \(network.rawValue) network is not configured")
        }
        let reach = min(radiusMetres, search.desk.live.provider.about.maximumRadiusMetres ?? .infinity)
        let outcome = Outcome()
        guard start(search, centre, reach, isForced, outcome) else {
            return NetworkFinding(
                network: network, status: .failed(.unavailable), message: "too many searches are under way")
        }
        await outcome.bell.wait(after: 0, timeout: deadline.since(.now))
        guard var finding = outcome.finding else {
            return NetworkFinding(
                network: network, status: .failed(.timeout), message: "it has not answered yet; it is still being asked"
            )
        }
        if reach < radiusMetres, finding.message.isEmpty {
            finding.message = "it is asked for \(Int(reach)) m, which is the most that it allows"
        }
        return finding
    }

    /// Ends all searches. Nothing begins any more.
    func stop() async {
        let tasks = running.withLock { running in
            running.isStopped = true
            return running.tasks.values
        }
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
        await client.close()
    }

    private func start(
        _ search: AreaSearch, _ centre: Coordinate, _ radiusMetres: Double, _ isForced: Bool, _ outcome: Outcome
    ) -> Bool {
        running.withLock { running in
            guard !running.isStopped, running.tasks.count < Self.mostSearches else { return false }
            running.lastID += 1
            let id = running.lastID
            running.tasks[id] = Task {
                outcome.set(await self.run(search, centre, radiusMetres, isForced))
                self.running.withLock { _ = $0.tasks.removeValue(forKey: id) }
            }
            return true
        }
    }

    private func run(
        _ search: AreaSearch, _ centre: Coordinate, _ radiusMetres: Double, _ isForced: Bool
    ) async -> NetworkFinding {
        let network = search.desk.live.network
        do {
            return try await search.run(centre, radiusMetres, isForced: isForced)
        } catch {
            if !Task.isCancelled {
                log?.error("a search of a live network failed", ["network": network.rawValue, "reason": "\(error)"])
            }
            return NetworkFinding(
                network: network, status: .failed(.unavailable),
                message: "the search failed; the service's log says why")
        }
    }
}

/// What comes of a search, for whoever still waits.
private final class Outcome: Sendable {
    let bell = Bell()
    private let value = Mutex<NetworkFinding?>(nil)

    var finding: NetworkFinding? { value.withLock { $0 } }

    func set(_ finding: NetworkFinding) {
        value.withLock { $0 = finding }
        bell.ring()
    }
}
