import Daemon
import Storage

/// Has all removed that a deleted account had at the photo service and at the places service.
struct ForgetAccountJob: Sendable {
    let store: PinStore
    let albums: any AlbumSearcher
    let finder: any PlaceFinder
    let clock: WallClock

    var kind: JobKind {
        JobKind(Work.forgetAccount, workers: 1, timeout: .seconds(120)) { lease in
            try await albums.forgetAccount(lease.key)
            try await finder.forgetFindings(of: lease.key)
            try await store.drop(lease, at: clock.unixMilliseconds)
        }
    }
}
