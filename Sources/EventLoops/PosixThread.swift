import CLinux
import Glibc

/// A thread of our own, for a loop or for C that blocks.
package struct PosixThread: Sendable {
    /// `pthread_t` is a number on Linux.
    private let id: pthread_t

    private final class Start: Sendable {
        let name: String
        let body: @Sendable () -> Void
        init(_ name: String, _ body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }
    }

    /// Starts a thread. Its name is cut to 15 bytes, which is what Linux keeps.
    package init(name: String, _ body: @escaping @Sendable () -> Void) {
        var id = pthread_t()
        let start = unsafe Unmanaged.passRetained(Start(name, body)).toOpaque()
        let code = unsafe pthread_create(
            &id, nil,
            { argument in
                guard let argument = unsafe argument else { return nil }
                let start = unsafe Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
                _ = unsafe waymark_name_thread(start.name)
                start.body()
                return nil
            }, start)
        precondition(code == 0, "no thread could be started: errno \(code)")
        self.id = id
    }

    /// Whether the caller runs on this thread.
    package var isCurrent: Bool { pthread_equal(pthread_self(), id) != 0 }

    /// Waits for its end. Once only.
    package func join() {
        let code = pthread_join(id, nil)
        precondition(code == 0, "a thread was joined twice, or by itself")
    }
}
