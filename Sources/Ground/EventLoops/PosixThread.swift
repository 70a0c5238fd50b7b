import CLinux
import Glibc

/// A thread of our own, for a loop or for blocking C code, so that neither blocks the threads on which tasks run.
package struct PosixThread: Sendable {
    /// `pthread_t` is a number on Linux.
    private let id: pthread_t

    /// What a new thread is given.
    private final class Start: Sendable {
        let name: String
        let body: @Sendable () -> Void
        init(_ name: String, _ body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }
    }

    /// Starts a thread that the program needs. Its name is cut to 15 bytes, the most that Linux keeps.
    package init(name: String, _ body: @escaping @Sendable () -> Void) {
        do {
            try self.init(starting: name, body)
        } catch {
            preconditionFailure("no thread could be started: \(error)")
        }
    }

    /// Starts a thread, if the system allows one more.
    /// - Parameter takesSignals: whether signal handlers may run on it.
    package init(
        starting name: String, takesSignals: Bool = true, _ body: @escaping @Sendable () -> Void
    ) throws(SystemError) {
        let start = unsafe Unmanaged.passRetained(Start(name, body))
        var id = pthread_t()
        let code = Self.withSignals(blocked: !takesSignals) {
            unsafe pthread_create(
                &id, nil,
                { argument in
                    guard let argument = unsafe argument else { return nil }
                    let start = unsafe Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
                    _ = unsafe waymark_name_thread(start.name)
                    start.body()
                    return nil
                }, start.toOpaque())
        }
        guard code == 0 else {
            unsafe start.release()
            throw SystemError(call: "pthread_create", code: code, subject: name)
        }
        self.id = id
    }

    /// Waits for its end. Once only.
    package func join() {
        let code = pthread_join(id, nil)
        precondition(code == 0, "a thread was joined twice, or by itself")
    }

    /// Releases it when it ends by itself; instead of `join`.
    package func detach() { pthread_detach(id) }

    /// A new thread inherits the blocked signals of the thread that creates it.
    private static func withSignals(blocked: Bool, _ body: () -> Int32) -> Int32 {
        guard blocked else { return body() }
        var all = sigset_t()
        var before = sigset_t()
        unsafe sigfillset(&all)
        unsafe pthread_sigmask(SIG_SETMASK, &all, &before)
        defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
        return body()
    }
}
