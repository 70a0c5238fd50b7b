import Daemon
import Storage
import Stores

/// Has pins named again, in the background, when datasets with areas were imported or deleted: a point is called by
/// what it lies in.
struct AreaNews: Sendable {
    private static let pause: Duration = .seconds(300)

    let store: PinStore
    let finder: any PlaceFinder
    let clock: WallClock
    let log: Log?

    /// Looks now and then until the task is cancelled.
    func run() async {
        while !Task.isCancelled {
            do { try await look() } catch {
                log?.debug("it was not learned which areas there are", ["reason": "\(error)"])
            }
            try? await Task.sleep(for: Self.pause)
        }
    }

    /// Of several replicas one begins. What is there at the first look has named the pins.
    func look() async throws {
        let edition = try await finder.areasEdition()
        let now = clock.unixMilliseconds
        try await store.database.write { transaction throws(SQLError) in
            let known = try transaction.first("SELECT edition FROM named_by WHERE id = 1") { row throws(SQLError) in
                try row.text(0)
            }
            guard known != edition else { return }
            try transaction.execute("UPDATE named_by SET edition = ?1 WHERE id = 1", edition)
            if known?.isEmpty == false { try transaction.enqueue(Work.names, "", at: now) }
        }
    }
}
