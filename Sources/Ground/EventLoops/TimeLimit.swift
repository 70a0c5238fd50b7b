/// Runs `body` for at most `limit`; nil when the time ran out first. Then `body` is cancelled, and this returns when it
/// has ended.
package func withTimeLimit<Value: Sendable>(
    _ limit: Duration, _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value? {
    try await withThrowingTaskGroup(of: Value?.self) { group in
        defer { group.cancelAll() }
        group.addTask { try await body() }
        group.addTask {
            try await Task.sleep(for: limit)
            return nil
        }
        return try await group.next() ?? nil
    }
}
