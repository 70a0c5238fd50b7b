import Daemon
import Storage

/// Has all pins named again whose name no user chose: once after an upgrade from a version that named them otherwise,
/// and when there are other areas (`AreaNews`). It goes through them by their ids, some at a time: the key is the id of
/// the last one that was looked at.
struct NamesJob: Sendable {
    /// Pins that are looked at in one transaction, and how long the next waits: pins that people make meanwhile are
    /// named in between.
    private static let pinsAtOnce = 200
    private static let pause: Int64 = 1_000

    let store: PinStore
    let clock: WallClock

    var kind: JobKind {
        JobKind(Work.names, workers: 1, timeout: .seconds(30)) { lease in try await run(lease) }
    }

    private func run(_ lease: JobLease) async throws {
        let now = clock.unixMilliseconds
        let last = PinID(lease.key) ?? PinID(high: 0, low: 0)
        try await store.database.write { transaction throws(SQLError) in
            guard try transaction.complete(lease, at: now) else { return try transaction.undo() }
            let pins = try transaction.pinsToName(after: last, limit: Self.pinsAtOnce)
            for pin in pins where pin.isToBeNamed { try transaction.enqueue(Work.name, Work.key(pin.id), at: now) }
            guard pins.count == Self.pinsAtOnce, let end = pins.last?.id else { return }
            try transaction.enqueue(Work.names, "\(end)", at: now + Self.pause)
        }
    }
}

extension Transaction {
    /// Pins in the order of their ids, and whether each is to have a name found. Those that came from a file and were
    /// never opened are named when they are.
    fileprivate func pinsToName(
        after id: PinID, limit: Int
    ) throws(SQLError) -> [(id: PinID, isToBeNamed: Bool)] {
        try rows(
            "SELECT id, is_named, generation FROM pins WHERE id > ?1 ORDER BY id LIMIT ?2", id, Int64(limit)
        ) { row throws(SQLError) in
            let (isNamed, generation) = (try row.bool(1), try row.integer(2))
            return (id: try row.pinID(0), isToBeNamed: !isNamed && generation > 0)
        }
    }
}
