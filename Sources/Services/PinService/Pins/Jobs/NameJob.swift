import Daemon
import Geo
import Storage

/// Names a pin after where it is, unless a user has named it.
struct NameJob: Sendable {
    private static let maximumTries = 5

    let store: PinStore
    let finder: any PlaceFinder
    let clock: WallClock

    /// A geocoder that keeps refusing is given up: the pin is then named by its position.
    var kind: JobKind {
        JobKind(
            Work.name, workers: 2, timeout: .seconds(30),
            judge: { error, lease in
                if case .refused = error as? PeerError, lease.tries + 1 >= Self.maximumTries { return .giveUp }
                return .again
            },
            isPeerAway: PeerError.isAway,
            body: { lease in try await run(lease) })
    }

    private func run(_ lease: JobLease) async throws {
        let now = clock.unixMilliseconds
        guard let (id, _) = Work.subject(of: lease.key),
            let asked = try await store.database.read(
                .statement,
                { transaction throws(SQLError) in
                    try transaction.pin(id)
                }),
            !asked.isNamed
        else { return try await store.drop(lease, at: now) }
        let found = try await finder.name(of: asked.position, account: asked.account)
        let name = found.flatMap { PinDraft.found(name: $0) }
        try await store.database.write(.subject(asked.account)) { transaction throws(SQLError) in
            guard try transaction.complete(lease, at: now) else { return try transaction.undo() }
            guard let name, var pin = try transaction.pin(id), !pin.isNamed, pin.position == asked.position,
                pin.name != name
            else { return }
            pin.name = name
            _ = try transaction.touch(pin)
        }
    }
}
