package import Daemon
package import Storage

/// Has the parts of a service delete what they no longer need, a few rows in each transaction.
package struct Upkeep: Sendable {
    private static let interval: Duration = .seconds(3_600)
    private static let limit = 1_000

    private let parts: [any Part]
    private let database: Database
    private let clock: WallClock

    package init(of parts: [any Part], in database: Database, clock: WallClock) {
        (self.parts, self.database, self.clock) = (parts, database, clock)
    }

    /// Runs at once, and every hour until the task is cancelled.
    func run() async {
        repeat { await deleteExpired() } while (try? await Task.sleep(for: Self.interval)) != nil
    }

    /// Deletes all that there is to delete now. What fails is done an hour later.
    package func deleteExpired() async {
        for part in parts {
            while let count = try? await deleteSome(of: part), count > 0 {}
        }
    }

    private func deleteSome(of part: any Part) async throws -> Int {
        let now = clock.unixMilliseconds
        return try await database.write { transaction throws(SQLError) in
            try part.forget(at: now, limit: Self.limit, transaction)
        }
    }
}
