import PlaceContracts
import EventLoops
import Geo
import HTTPClient
import LiveNetworks
import Daemon
import Networks
import Stores

/// Asks live networks for places, and for the map of streets.
final class Discovery: Sendable {
    let store: DiscoveryStore
    /// Which of the places an account sees.
    let own: OwnPlaces
    /// Which of the networks are asked.
    let switches: NetworkSwitches
    private let clock: WallClock
    private let searches: [Network: AreaSearch<FoundPlace>]
    /// The map of streets; nil where there is none.
    let streets: StreetMap?
    private let client: HTTPClient
    private let running: NetworkSearches

    init(
        _ networks: [LiveNetwork], _ streets: KeptStreets? = nil, contact: String, store: DiscoveryStore,
        places: DiscoveredIndex, client: HTTPClient, blocking: BlockingPool, clock: WallClock = .system,
        log: Log? = nil
    ) {
        self.store = store
        own = places.own
        self.client = client
        self.clock = clock
        var known = networks.map { ($0.network.name, $0.isOn) }
        if let streets { known.append((StreetConfig.network.name, streets.config.isOn)) }
        switches = NetworkSwitches(
            known.map(\.0), configured: Set(known.filter(\.1).map(\.0)), contact: contact, store.ledger, clock,
            log: log)
        running = NetworkSearches(log: log)
        var searches: [Network: AreaSearch<FoundPlace>] = [:]
        for live in networks {
            guard let power = switches[live.network.name] else { continue }
            let queue = NetworkQueue(
                live.network.name, power, live.rules, client, store.ledger, blocking, clock)
            let found = DiscoveredPlaces(network: live.network, store: store, index: places)
            searches[live.network] = AreaSearch(live.provider, queue, store.ledger, found, clock)
        }
        self.searches = searches
        var map: StreetMap?
        if let streets, let power = switches[StreetConfig.network.name] {
            let queue = NetworkQueue(
                StreetConfig.network.name, power, streets.config.rules, client, store.ledger, blocking, clock)
            map = StreetMap(streets.config, streets.folder, queue, blocking, clock, log: log)
        }
        self.streets = map
    }

    /// The networks that can be asked, in the order of all.
    private var available: [Network] { Network.livePlaces.filter { searches[$0] != nil } }

    /// The networks that are switched on, in the order of all.
    var active: [Network] { available.filter { searches[$0]?.queue.isOn ?? false } }

    /// What a network is, and how it stands; nil when it can't be asked.
    func info(_ network: Network) async throws -> NetworkInfo? {
        if network == StreetConfig.network, let streets {
            return try await SwitchableNetwork(network.name, streets.about, streets.queue.rules)
                .info(switches, store.ledger, clock)
        }
        guard let search = searches[network] else { return nil }
        return try await SwitchableNetwork(network.name, search.provider.about, search.queue.rules)
            .info(switches, store.ledger, clock)
    }

    /// For how long the answers of a network are known, in milliseconds; as usual for one that is not configured.
    func life(of network: Network) -> Int64 {
        searches[network]?.queue.rules.expiryMilliseconds ?? NetworkRules.usualExpiryMilliseconds
    }

    /// How many requests were sent to a network, by how they failed; nil for those that were answered.
    func sent(to network: Network, _ kind: AskFailure.Kind?) -> UInt64 { searches[network]?.queue.sent(kind) ?? 0 }

    /// Asks one network, and waits for the result until a deadline.
    func find(
        _ network: Network, _ question: AreaQuestion, until deadline: MonotonicTime
    ) async -> NetworkFinding {
        guard let search = searches[network] else {
            return NetworkFinding(
                network: network.name, status: .disabled,
                message: "the \(network.name) network is not configured")
        }
        return await running.find(search, question, until: deadline)
    }

    /// Cancels all searches. No new ones begin.
    func stop() async {
        await running.stop()
        await streets?.stop()
        await client.close()
    }

    /// The metrics of live networks and of their database.
    var families: [MetricFamily] {
        let queues = available.compactMap { searches[$0]?.queue } + [streets?.queue].compactMap(\.self)
        return (queues.isEmpty ? [] : running.families(of: queues)) + store.database.families
    }
}

/// The places that one network listed.
private struct DiscoveredPlaces: FoundItems {
    let network: Network
    let store: DiscoveryStore
    let index: DiscoveredIndex

    func upsert(_ places: [FoundPlace], seen: Int64, for account: String) async throws {
        try await index.upsert(places, network: network, seen: seen, for: account)
    }

    func removeUnseen(
        in cells: [GridCell], since time: Int64, isListed: @escaping @Sendable (String) -> Bool, for account: String
    ) async throws {
        try await index.removeUnseen(in: cells, network: network, since: time, isListed: isListed)
    }

    func count(around centre: Geo.Coordinate, radiusMetres: Double, for account: String) async throws -> Int {
        try await store.count(network, around: centre, radiusMetres: radiusMetres, for: account)
    }
}
