import ServiceRuntime
import Storage

/// Forgets the answers to changes that nobody will ask for again.
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
        let oldest = clock.unixMilliseconds - Change.lifeMilliseconds
        return try await store.database.write { transaction throws(SQLError) in
            try transaction.forgetRequests(before: oldest, limit: Self.part)
        }
    }
}
