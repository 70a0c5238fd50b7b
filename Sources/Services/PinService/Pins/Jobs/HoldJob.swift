import Daemon
import EventLoops
import Storage

/// Says to the places service where a pin is, or that it is gone, so that what live networks found around it stays as
/// long as there is the pin. What is said is what is true when the job runs: it may be said twice.
struct HoldJob: Sendable {
    let store: PinStore
    let finder: any PlaceFinder
    let clock: WallClock

    var kind: JobKind {
        JobKind(Work.hold, workers: 2, timeout: .seconds(30), isPeerAway: PeerError.isAway, body: run)
    }

    private func run(_ lease: JobLease) async throws {
        if let (id, _) = Work.subject(of: lease.key) {
            let pin = try await store.database.read(.statement) { transaction throws(SQLError) in
                try transaction.pin(id)
            }
            if let pin { try await finder.hold(pin) } else { try await finder.release(id) }
        }
        try await store.drop(lease, at: clock.unixMilliseconds)
    }
}
