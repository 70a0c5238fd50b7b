import Storage

/// Why the store did not do what it was asked to.
struct StoreError: Error {
    let cause: SQLError

    /// Runs `body`; its error becomes the store's.
    static func converting<Value>(
        _ body: () async throws(SQLError) -> Value
    ) async throws(StoreError) -> Value {
        do {
            return try await body()
        } catch {
            throw StoreError(cause: error)
        }
    }
}
