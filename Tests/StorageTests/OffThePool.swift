@testable import Storage

/// Runs a call that blocks on a thread of its own, so that the tests beside this one go on.
func offThePool<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async throws -> Value {
    let crew = ThreadCrew()
    let value: Value = await withCheckedContinuation { continuation in
        Task {
            try await crew.start("test") { () throws(SQLError) in
            } work: { _ in
                continuation.resume(returning: body())
            }
        }
    }
    await crew.join()
    return value
}
