import Geo
import Storage
import Synchronization

/// Which of the places that live networks have found an account sees: those that were given for its own pins and
/// searches. The rows are the truth; those of accounts that have called lately are in memory, and followed.
final class OwnPlaces: Sendable {
    /// The most accounts in memory; the one that called longest ago makes room.
    private static let mostKept = 256

    fileprivate struct Account {
        /// Those found while it is being read are here too.
        var ids: [Network: Set<[UInt8]>] = [:]
        var isRead = false
        /// How often its places have changed.
        var changes = 0
        /// What it sees of a view.
        var shown: (of: CatalogView, view: CatalogView)?
        var lastUse = 0

        mutating func change() {
            changes += 1
            shown = nil
        }
    }

    fileprivate struct State {
        var accounts: [String: Account] = [:]
        var version: Int64 = 0
        var uses = 0
    }

    private let store: DiscoveryStore
    private let state = Mutex(State())

    init(_ store: DiscoveryStore) { self.store = store }

    /// Begins to follow the rows.
    func open(at version: Int64) { state.withLock { $0.version = version } }

    /// A view as an account sees it. Without findings it is the same; else it is made once, until something changes.
    func view(_ view: CatalogView, of account: String) async throws -> CatalogView {
        guard view.hasDiscovered else { return view }
        if let known = shown(view, account) { return known }
        let (ids, changes) = try await ids(of: account)
        let made = try view.showing(ids)
        state.withLock { state in
            if state.accounts[account]?.changes == changes { state.accounts[account]?.shown = (view, made) }
            // What others saw of earlier views would keep files that were replaced.
            for (name, other) in state.accounts where other.shown.map({ $0.of !== view }) ?? false {
                state.accounts[name]?.shown = nil
            }
        }
        return made
    }

    /// Applies what was found since; when it returns, accounts see all that was stored before the call.
    func catchUp() async throws {
        let from = state.withLock { $0.version }
        let (places, version) = try await store.ownPlaces(above: from)
        state.withLock { state in
            for place in places {
                let isNew = state.accounts[place.account]?.ids[place.network, default: []].insert(place.id).inserted
                if isNew == true { state.accounts[place.account]?.change() }
            }
            state.version = max(state.version, version)
        }
    }

    /// Places of a network are gone: they are no account's any more.
    func forget(_ ids: [[UInt8]], of network: Network) {
        guard !ids.isEmpty else { return }
        state.withLock { state in
            for account in state.accounts.keys {
                state.accounts[account]?.ids[network]?.subtract(ids)
                state.accounts[account]?.change()
            }
        }
    }

    /// An account's places are read again when they are looked at next.
    func drop(_ account: String) { state.withLock { _ = $0.accounts.removeValue(forKey: account) } }

    private func shown(_ view: CatalogView, _ account: String) -> CatalogView? {
        state.withLock { state in
            guard let known = state.accounts[account]?.shown, known.of === view else { return nil }
            state.uses += 1
            state.accounts[account]?.lastUse = state.uses
            return known.view
        }
    }

    private func ids(of account: String) async throws -> (ids: [Network: Set<[UInt8]>], changes: Int) {
        let known = state.withLock { state in
            state.begin(account, most: Self.mostKept)
            return state.accounts[account].flatMap { $0.isRead ? ($0.ids, $0.changes) : nil }
        }
        if let known { return known }
        let places = try await store.ownPlaces(of: account)
        return state.withLock { state in
            var ids = state.accounts[account]?.ids ?? [:]
            for place in places { ids[place.network, default: []].insert(place.id) }
            state.accounts[account]?.ids = ids
            state.accounts[account]?.isRead = true
            state.accounts[account]?.shown = nil
            return (ids, state.accounts[account]?.changes ?? 0)
        }
    }
}

extension OwnPlaces.State {
    /// Notes that an account is looked at; those that were not for long make room.
    fileprivate mutating func begin(_ account: String, most: Int) {
        uses += 1
        accounts[account, default: OwnPlaces.Account()].lastUse = uses
        guard accounts.count > most, let oldest = accounts.min(by: { $0.value.lastUse < $1.value.lastUse }) else {
            return
        }
        accounts[oldest.key] = nil
    }
}
