internal import CPQ
internal import EventLoops

/// The right to stop a statement of another thread's connection. The server takes that on a connection of its own, and
/// connecting may block for long: so it has a thread for itself.
///
/// `@unchecked Sendable`: libpq's object is not changed once it is made, and `PQcancel` may be called on any thread.
@safe
final class PostgresCancel: @unchecked Sendable {
    private let handle: OpaquePointer?

    init(_ handle: OpaquePointer?) { unsafe self.handle = handle }

    deinit { unsafe PQfreeCancel(handle) }

    func send() {
        let thread = try? PosixThread(starting: "sql-cancel", takesSignals: false) {
            var words = [CChar](repeating: 0, count: 256)
            // When it fails, the statement ends by the server's own limit.
            _ = unsafe PQcancel(self.handle, &words, Int32(words.count))
        }
        thread?.detach()
    }
}
