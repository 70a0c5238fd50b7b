import Daemon
import EventLoops
import Storage

/// Does what follows when an account has chosen other networks: the photo service learns of it, and pins without any
/// place are searched again.
struct ChoiceJob: Sendable {
    let store: PinStore
    let albums: any AlbumSearcher
    let networks: PinNetworks
    let clock: WallClock

    var kind: JobKind {
        JobKind(Work.networks, workers: 2, timeout: .seconds(60), isPeerAway: PeerError.isAway, body: run)
    }

    private func run(_ lease: JobLease) async throws {
        let account = lease.key
        let settings = try await store.database.read(.statement) { [store] transaction throws(SQLError) in
            try store.settings(of: account, transaction)
        }
        try await albums.choose(settings, account: account)
        _ = try await store.searchEmptyPins(of: account, networks.current, at: clock.unixMilliseconds)
        try await store.drop(lease, at: clock.unixMilliseconds)
    }
}
