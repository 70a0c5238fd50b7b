package import Storage

/// Why a service's store did not do what it was asked to.
package struct StoreError: Error {
    package let cause: SQLError
    /// What the store keeps, for the sentences: "pins".
    package let content: String

    package init(_ cause: SQLError, content: String) {
        self.cause = cause
        self.content = content
    }

    /// Runs `body` on the store that keeps `content`; its error becomes the store's.
    package static func converting<Value>(
        _ content: String, _ body: () async throws(SQLError) -> Value
    ) async throws(StoreError) -> Value {
        do {
            return try await body()
        } catch {
            throw StoreError(error, content: content)
        }
    }
}
