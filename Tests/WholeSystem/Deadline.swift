import EventLoops

/// Runs `body`, which is cancelled after `limit`; then `what` says what was waited for.
package func within<Value: Sendable>(
    _ limit: Duration, _ what: @escaping @Sendable () -> String, _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    try await withThrowingTaskGroup(of: Value?.self) { group in
        group.addTask { try await body() }
        group.addTask {
            await Bell().wait(after: 0, timeout: limit)
            return nil
        }
        defer { group.cancelAll() }
        guard let value = try await group.next() ?? nil else { throw RunFailure.late(what()) }
        return value
    }
}
