import EventLoops
import Geo
import ServiceRuntime
import Synchronization

/// Keeps what live networks found searchable. The table of discovered places is the truth, which this follows by
/// version; what it makes of it can be made again at any time.
///
/// The layers above a network's base are in memory. When they have grown, a new base is written in the background while
/// changes and searches go on, so that a start reads few rows.
final class DiscoveredIndex: Sendable {
    /// Rows that are read and applied at once.
    private static let batch = 5_000

    private struct State {
        /// The last row that was applied.
        var version: Int64 = 0
        /// What the base of a network knows already.
        var bases: [Network: Int64] = [:]
        var layers: [Network: PlaceLayers] = [:]
        var isRebasing: Set<Network> = []
    }

    private let store: DiscoveryStore
    private let catalog: Catalog
    private let folder: DiscoveredFolder
    private let blocking: BlockingPool
    private let log: Log?
    /// Places above a base, and such that no longer count, before a new one is made.
    private let rebaseAt: Int
    private let state = Mutex(State())
    private let rebased = Bell()

    /// An index that knows the bases in `folder`; `catchUp` brings the rest.
    init(
        _ store: DiscoveryStore, _ catalog: Catalog, folder: String, blocking: BlockingPool, log: Log? = nil,
        rebaseAt: Int = 65_536
    ) {
        self.store = store
        self.catalog = catalog
        self.folder = DiscoveredFolder(path: folder, store: store.number)
        self.blocking = blocking
        self.log = log
        self.rebaseAt = rebaseAt
    }

    /// Opens the bases and applies all rows that they don't know. A base that is damaged, or not of these rows, is made
    /// again from them.
    func open() async throws {
        let last = try await store.lastVersion()
        try await blocking.run { [self] in
            state.withLock { state in
                for (network, version, base) in folder.open(upTo: last, log) {
                    state.bases[network] = version
                    state.layers[network] = PlaceLayers(base: base)
                }
                // From the beginning when a network has no base: its rows may be anywhere.
                let known = LiveNetwork.names.map { state.bases[$0] ?? 0 }
                state.version = known.min() ?? 0
                for (network, layers) in state.layers { catalog.replace(layers, of: network) }
            }
        }
        try await catchUp()
    }

    /// Applies all rows that were not. When it returns, what was stored before it was called is found by searches.
    func catchUp() async throws {
        while true {
            let version = state.withLock(\.version)
            let changes = try await store.changes(above: version, limit: Self.batch)
            if changes.isEmpty { break }
            try await blocking.run { [self] in try apply(changes, from: version) }
        }
        await rebaseWhatHasGrown()
    }

    /// Waits until no base is being made.
    func settled() async {
        while true {
            let rung = rebased.count
            if state.withLock({ $0.isRebasing.isEmpty }) { return }
            await rebased.wait(after: rung)
        }
    }

    private func apply(_ changes: [DiscoveredChange], from version: Int64) throws {
        try state.withLock { state in
            // Somebody else has read the same rows, and maybe later ones, and was faster.
            guard state.version == version, let last = changes.last else { return }
            for (network, changes) in Dictionary(grouping: changes, by: \.network) {
                let known = state.bases[network] ?? 0
                let fresh = changes.filter { $0.version > known }
                if fresh.isEmpty { continue }
                var layers = state.layers[network] ?? PlaceLayers()
                var builder = SnapshotBuilder()
                for place in fresh.compactMap(\.place) { try builder.add(place) }
                try layers.apply(builder, removing: fresh.filter { $0.place == nil }.map { Array($0.id.utf8) })
                state.layers[network] = layers
                catalog.replace(layers, of: network)
            }
            state.version = last.version
        }
    }

    private func rebaseWhatHasGrown() async {
        let grown = state.withLock { state in
            let grown = state.layers.filter { network, layers in
                !state.isRebasing.contains(network) && layers.looseCount + layers.supersededCount >= rebaseAt
            }.keys
            state.isRebasing.formUnion(grown)
            return grown
        }
        for network in grown {
            do {
                try blocking.submit { [self] in
                    rebase(network)
                    end(network)
                }
            } catch {
                end(network)
            }
        }
    }

    private func end(_ network: Network) {
        state.withLock { _ = $0.isRebasing.remove(network) }
        rebased.ring()
    }

    /// Writes a network's places as a new base. When that fails the layers go on growing in memory, and it is tried
    /// again with the next change.
    private func rebase(_ network: Network) {
        let (earlier, version) = state.withLock { ($0.layers[network]?.settle(), $0.version) }
        guard let earlier else { return }
        do {
            try DiskFile.makeFolder(folder.path)
            let places = try earlier.gather(scratchFolder: folder.path)
            let base = try folder.write(places, network, version)
            try state.withLock { state in
                try state.layers[network]?.rebase(base, from: earlier)
                state.bases[network] = version
                if let layers = state.layers[network] { catalog.replace(layers, of: network) }
            }
            folder.removeAll(of: network, but: version)
        } catch {
            state.withLock { state in
                state.layers[network]?.unsettle(hasBase: state.bases[network] != nil)
            }
            log?.error("discovered places can't be written", ["network": network.rawValue, "reason": "\(error)"])
        }
    }
}

extension DiscoveredIndex {
    /// Stores places of a network that were in its answer at a time, in milliseconds since 1970, and finds them.
    func upsert(_ places: [FoundPlace], network: Network, seen: Int64) async throws {
        try await store.upsert(places, network: network, seen: seen)
        try await catchUp()
    }

    /// Takes away what `DiscoveryStore.removeUnseen` does, and finds it no more.
    func removeUnseen(
        in cells: [GridCell], network: Network, since time: Int64, isListed: @escaping @Sendable (String) -> Bool
    ) async throws {
        try await store.removeUnseen(in: cells, network: network, since: time, isListed: isListed)
        try await catchUp()
    }
}
