/// One suspended task, to be resumed exactly once.
@safe
package struct Waiter<Value: Sendable>: Sendable {
    private let continuation: UnsafeContinuation<Value, Never>

    /// Suspends the calling task. `body` stores the waiter where the task that will have the value finds it; it runs in
    /// the caller's isolation, before anything else can.
    package static func suspend(_ body: (Waiter) -> Void) async -> Value {
        await unsafe withUnsafeContinuation(isolation: #isolation) { continuation in
            body(unsafe Waiter(continuation))
        }
    }

    private init(_ continuation: UnsafeContinuation<Value, Never>) { unsafe self.continuation = continuation }

    package func resume(_ value: Value) { unsafe continuation.resume(returning: value) }
}

extension Waiter where Value == Void {
    package func resume() { resume(()) }
}
