import EventLoops
import Geo
import Networks
import Storage
import Synchronization

/// Which of the places that live networks have found an account sees: those that were given for its own pins and
/// searches. The rows are the truth; those of accounts that have called lately are in memory, and followed.
final class OwnPlaces: Sendable {
    /// The most accounts in memory; the one that called longest ago makes room.
    private static let maximumKept = 256
    /// How many places of a view are looked up on an event loop; more are on a thread that may block.
    private static let lookUpsOnLoop = 1_000

    fileprivate struct Account {
        /// Those found while it is being read are here too.
        var places = OwnedPlaces()
        var isRead = false
        /// When its places have changed, and when it was looked at: a count of both.
        var lastChange = 0
        var lastUse = 0
    }

    fileprivate struct State {
        var accounts: [String: Account] = [:]
        /// The last view, and what accounts see of it. What they saw of earlier ones would keep replaced files.
        var last: CatalogView?
        var shown: [String: CatalogView] = [:]
        var version: Int64 = 0
        var time = 0
    }

    private let store: DiscoveryStore
    private let blocking: BlockingPool
    private let state = Mutex(State())

    init(_ store: DiscoveryStore, _ blocking: BlockingPool) {
        self.store = store
        self.blocking = blocking
    }

    /// Begins to follow the rows.
    func open(at version: Int64) { state.withLock { $0.version = version } }

    /// A view as an account sees it. Without findings it is the same; else it is made once, until something changes.
    func view(_ view: CatalogView, of account: String) async throws -> CatalogView {
        guard view.hasDiscovered else { return view }
        if let known = state.withLock({ $0.shown(view, to: account) }) { return known }
        let (places, lastChange) = try await places(of: account)
        let isLong = places.lookUps(view) > Self.lookUpsOnLoop
        let (made, marked) = try await isLong ? blocking.run { try places.showing(view) } : places.showing(view)
        state.withLock { state in
            guard state.accounts[account]?.lastChange == lastChange else { return }
            state.accounts[account]?.places = marked
            state.show(made, of: view, to: account)
        }
        return made
    }

    /// Applies what was found since; when it returns, accounts see all that was stored before the call.
    func catchUp() async throws {
        let from = state.withLock { $0.version }
        let (places, version) = try await store.ownPlaces(above: from)
        state.withLock { state in
            for place in places { state.insert(place) }
            state.version = max(state.version, version)
        }
    }

    /// Places of a network are gone: they are no account's any more.
    func forget(_ ids: [[UInt8]], of network: Network) {
        guard !ids.isEmpty else { return }
        state.withLock { state in
            state.time += 1
            for account in state.accounts.keys {
                state.accounts[account]?.places.remove(ids, of: network)
                state.accounts[account]?.lastChange = state.time
            }
        }
    }

    /// An account's places are read again when they are looked at next.
    func drop(_ account: String) { state.withLock { $0.remove(account) } }

    private func places(of account: String) async throws -> (OwnedPlaces, lastChange: Int) {
        let known = state.withLock { $0.begin(account, most: Self.maximumKept) }
        if known.isRead { return (known.places, known.lastChange) }
        let rows = try await store.ownPlaces(of: account)
        return state.withLock { state in
            var read = state.accounts[account] ?? known
            for row in rows { _ = read.places.insert(row.id, of: row.network) }
            read.isRead = true
            if state.accounts[account] != nil { state.accounts[account] = read }
            return (read.places, read.lastChange)
        }
    }
}

extension OwnPlaces.State {
    /// Notes that an account is looked at; the one that was not for the longest time makes room.
    fileprivate mutating func begin(_ account: String, most: Int) -> OwnPlaces.Account {
        time += 1
        var begun = accounts[account] ?? OwnPlaces.Account(lastChange: time)
        begun.lastUse = time
        accounts[account] = begun
        if accounts.count > most, let oldest = accounts.min(by: { $0.value.lastUse < $1.value.lastUse }) {
            remove(oldest.key)
        }
        return begun
    }

    fileprivate mutating func remove(_ account: String) {
        accounts[account] = nil
        shown[account] = nil
    }

    /// A place is an account's now.
    fileprivate mutating func insert(_ place: OwnPlace) {
        guard accounts[place.account]?.places.insert(place.id, of: place.network) == true else { return }
        time += 1
        accounts[place.account]?.lastChange = time
        shown[place.account] = nil
    }

    /// What an account sees of a view; nil when that was not made, or has changed.
    fileprivate mutating func shown(_ view: CatalogView, to account: String) -> CatalogView? {
        guard view === last, let known = shown[account] else { return nil }
        time += 1
        accounts[account]?.lastUse = time
        return known
    }

    fileprivate mutating func show(_ made: CatalogView, of view: CatalogView, to account: String) {
        if view !== last { (last, shown) = (view, [:]) }
        shown[account] = made
    }
}
