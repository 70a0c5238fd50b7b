import Daemon
import Storage
import Stores

/// Forgets what nobody will ask for again: the answers to changes, and which pins were removed.
struct Upkeep: Sendable {
    private static let interval: Duration = .seconds(3_600)
    private static let part = 1_000

    let store: PinStore
    let clock: WallClock

    /// At once, and every hour until the task is cancelled.
    func run() async {
        repeat {
            while let count = try? await forgetSome(), count > 0 {}
        } while (try? await Task.sleep(for: Self.interval)) != nil
    }

    private func forgetSome() async throws -> Int {
        let now = clock.unixMilliseconds
        return try await store.database.write { transaction throws(SQLError) in
            try transaction.forgetRequests(before: now - Change.lifeMilliseconds, limit: Self.part)
                + transaction.forgetRemovals(before: now - AccountNews.removalLifeMilliseconds, limit: Self.part)
        }
    }
}
