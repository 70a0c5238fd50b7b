import Daemon
import EventLoops
import Files
import Geo
import Networks
import Synchronization

/// Keeps the findings of live networks searchable. The table of discovered places is the source of truth, which this
/// index follows by version; everything in it can be rebuilt at any time.
///
/// The layers above a network's base are in memory. When they have grown, a new base is written in the background while
/// changes and searches continue, so that a start reads few rows.
final class DiscoveredIndex: Sendable {
    /// Rows that are read and applied at once.
    private static let batch = 5_000

    /// The searchable data of a network.
    private struct Followed {
        /// The last of its rows that was applied.
        var version: Int64 = 0
        var layers = PlaceLayers()
        /// Whether the lowest layer is a base.
        var hasBase = false
        var isRebasing = false
    }

    /// Which of the places an account sees.
    let own: OwnPlaces
    private let store: DiscoveryStore
    private let catalog: Catalog
    private let folder: DiscoveredFolder
    private let blocking: BlockingPool
    private let log: Log?
    /// The number of places above a base, plus superseded ones, at which a new one is made.
    private let rebaseAt: Int
    private let state = Mutex<[Network: Followed]>([:])
    private let rebased = Bell()

    /// An index without places; `open` loads them, from the bases in `folder` and from the rows.
    init(
        _ store: DiscoveryStore, _ catalog: Catalog, folder: String, blocking: BlockingPool, log: Log? = nil,
        rebaseAt: Int = 65_536
    ) {
        self.store = store
        own = OwnPlaces(store, blocking)
        self.catalog = catalog
        self.folder = DiscoveredFolder(path: folder, store: store.number)
        self.blocking = blocking
        self.log = log
        self.rebaseAt = rebaseAt
    }

    /// Opens the bases and applies all rows that they lack; returns how many. A base that is damaged, or does not match
    /// these rows, is rebuilt from them.
    @discardableResult
    func open() async throws -> Int {
        let last = try await store.lastVersion()
        try await blocking.run { [self] in
            state.withLock { state in
                for (network, version, base) in folder.open(upTo: last, log) {
                    let layers = PlaceLayers(base: base)
                    state[network] = Followed(version: version, layers: layers, hasBase: true)
                    catalog.replace(layers, of: network)
                }
            }
        }
        own.open(at: last)
        var count = 0
        for network in Network.livePlaces { count += try await catchUp(network) }
        return count
    }

    /// Applies everything that was not applied yet: places, and to whom they are shown.
    func catchUp() async throws {
        for network in Network.livePlaces { try await catchUp(network) }
        try await own.catchUp()
    }

    /// Applies all rows of a network that were not applied yet; returns how many it read. When it returns, searches
    /// find everything that was stored before the call.
    @discardableResult
    func catchUp(_ network: Network) async throws -> Int {
        var count = 0
        while true {
            let version = state.withLock { $0[network]?.version ?? 0 }
            let changes = try await store.changes(of: network, above: version, limit: Self.batch)
            if changes.isEmpty { break }
            count += changes.count
            try await blocking.run { [self] in try apply(changes, of: network, from: version) }
        }
        rebaseIfGrown(network)
        return count
    }

    /// Waits until no base is being made.
    func settled() async {
        while true {
            let rung = rebased.count
            if state.withLock({ !$0.values.contains(where: \.isRebasing) }) { return }
            await rebased.wait(after: rung)
        }
    }

    private func apply(_ changes: [DiscoveredChange], of network: Network, from version: Int64) throws {
        try state.withLock { state in
            var followed = state[network] ?? Followed()
            // Another call has applied these rows meanwhile, and perhaps later ones.
            guard followed.version == version, let last = changes.last else { return }
            var builder = SnapshotBuilder()
            for place in changes.compactMap(\.place) { try builder.add(place) }
            let removed = changes.filter { $0.place == nil }.map { Array($0.id.utf8) }
            try followed.layers.apply(builder, removing: removed)
            own.forget(removed, of: network)
            followed.version = last.version
            state[network] = followed
            catalog.replace(followed.layers, of: network)
        }
    }

    private func rebaseIfGrown(_ network: Network) {
        let hasGrown = state.withLock { state in
            guard let followed = state[network], !followed.isRebasing,
                followed.layers.looseCount + followed.layers.supersededCount >= rebaseAt
            else { return false }
            state[network]?.isRebasing = true
            return true
        }
        guard hasGrown else { return }
        do {
            try blocking.submit { [self] in
                rebase(network)
                end(network)
            }
        } catch {
            end(network)
        }
    }

    private func end(_ network: Network) {
        state.withLock { $0[network]?.isRebasing = false }
        rebased.ring()
    }

    /// Writes a network's places as a new base. If that fails the layers keep growing in memory, and the next change
    /// tries again.
    private func rebase(_ network: Network) {
        let (earlier, version) = state.withLock { ($0[network]?.layers.settle(), $0[network]?.version ?? 0) }
        guard let earlier else { return }
        do {
            try DiskFile.makeFolder(folder.path)
            let places = try earlier.gather(scratchFolder: folder.path)
            let base = try folder.write(places, network, version)
            try state.withLock { state in
                try state[network]?.layers.rebase(base, from: earlier)
                state[network]?.hasBase = true
                if let layers = state[network]?.layers { catalog.replace(layers, of: network) }
            }
            folder.removeAll(of: network, but: version)
        } catch {
            state.withLock { state in
                let hasBase = state[network]?.hasBase ?? false
                state[network]?.layers.unsettle(hasBase: hasBase)
            }
            log?.error("discovered places can't be written", ["network": network.name, "reason": "\(error)"])
        }
    }
}

extension DiscoveredIndex {
    /// Stores places of a network that were in its answer for an account at a time, in milliseconds since 1970, and
    /// makes them searchable for it.
    func upsert(_ places: [FoundPlace], network: Network, seen: Int64, for account: String) async throws {
        try await store.upsert(places, network: network, seen: seen, for: account)
        try await catchUp(network)
        try await own.catchUp()
    }

    /// Removes places that have expired where no pin is, and whose network would be asked again; returns how many.
    /// - Parameter time: what was in an answer since then has not expired.
    func dropExpired(unseenSince time: (Network) -> Int64) async throws -> Int {
        var all = 0
        for network in Network.livePlaces {
            let count = try await store.dropExpired(network, unseenSince: time(network), limit: Self.batch)
            if count > 0 { try await catchUp(network) }
            all += count
        }
        return all
    }

    /// Calls `DiscoveryStore.removeUnseen`, and removes the same places from searches.
    func removeUnseen(
        in cells: [GridCell], network: Network, since time: Int64, isListed: @escaping @Sendable (String) -> Bool
    ) async throws {
        try await store.removeUnseen(in: cells, network: network, since: time, isListed: isListed)
        try await catchUp(network)
    }
}
