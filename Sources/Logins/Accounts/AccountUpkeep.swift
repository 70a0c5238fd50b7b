import Storage

/// What accounts need while the service runs: the code of the first administrator, and that what has ended goes.
package struct AccountUpkeep: Sendable {
    private static let interval: Duration = .seconds(3_600)
    private static let part = 1_000

    let store: AccountStore

    package init(_ store: AccountStore) { self.store = store }

    /// Makes the code with which an administrator is made; nil when there is one already. Several replicas make one
    /// each, and the first that is used ends the others.
    package func administratorCode() async throws -> String? {
        let (code, end) = (Secret.code(), store.now + store.lifetimes.administrator)
        return try await store.database.write { transaction throws(SQLError) -> String? in
            guard try transaction.administratorCount() == 0 else { return nil }
            try transaction.insertCode(.administrator, digest: code.digest, until: end)
            return code.text
        }
    }

    /// Runs at once, and every hour until the task is cancelled.
    package func run() async {
        repeat { await deleteExpired() } while (try? await Task.sleep(for: Self.interval)) != nil
    }

    /// Deletes what has ended.
    func deleteExpired() async { while let count = try? await deleteSome(), count > 0 {} }

    private func deleteSome() async throws -> Int {
        let (now, lifetimes) = (store.now, store.lifetimes)
        return try await store.database.write { transaction throws(SQLError) in
            try transaction.deleteExpired(at: now, lifetimes, limit: Self.part)
        }
    }
}
