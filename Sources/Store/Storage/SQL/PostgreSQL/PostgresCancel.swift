internal import CPQ
internal import EventLoops
internal import Synchronization

/// The right to stop a statement of another thread's connection. The server takes that on a connection of its own, and
/// connecting may block for long: so it has a thread for itself.
///
/// `@unchecked Sendable`: libpq's object is not changed once it is made, and `PQcancel` may be called on any thread.
@safe
final class PostgresCancel: @unchecked Sendable {
    private let handle: OpaquePointer?
    private let isTaken = Atomic(false)

    init(_ handle: OpaquePointer?) { unsafe self.handle = handle }

    deinit { unsafe PQfreeCancel(handle) }

    func send() {
        let thread = try? PosixThread(starting: "sql-cancel", takesSignals: false) {
            var words = [CChar](repeating: 0, count: 256)
            // When it fails, nothing was sent, and the statement ends by the server's own limit.
            _ = unsafe PQcancel(self.handle, &words, Int32(words.count))
            self.isTaken.store(true, ordering: .releasing)
        }
        if let thread { thread.detach() } else { isTaken.store(true, ordering: .releasing) }
    }

    /// Whether the server has taken what was sent by then: it closes the connection, and libpq waits for that.
    func isTaken(by end: ContinuousClock.Instant) -> Bool {
        while !isTaken.load(ordering: .acquiring) {
            guard ContinuousClock.now < end else { return false }
            PostgresSession.pause(milliseconds: 1)
        }
        return true
    }
}
