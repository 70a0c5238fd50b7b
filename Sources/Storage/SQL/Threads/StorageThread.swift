internal import CLinux
internal import Glibc

/// A thread of our own for calls that block, so that none blocks the threads on which tasks run.
@safe
struct StorageThread: Sendable {
    private let thread: pthread_t

    /// Starts a thread that runs `body`. Its name is cut to 15 bytes, which is what Linux keeps. It takes no signals:
    /// those are the main thread's.
    init(_ name: String, _ body: @escaping @Sendable () -> Void) throws(SQLError) {
        let start = unsafe Unmanaged.passRetained(ThreadStart(name, body))
        var thread = pthread_t()
        let code = Self.withSignalsBlocked {
            unsafe pthread_create(
                &thread, nil,
                { context in
                    guard let context = unsafe context else { return nil }
                    let start = unsafe Unmanaged<ThreadStart>.fromOpaque(context).takeRetainedValue()
                    _ = unsafe waymark_name_thread(start.name)
                    start.body()
                    return nil
                }, start.toOpaque())
        }
        guard code == 0 else {
            unsafe start.release()
            throw SQLError(
                .outOfMemory, "can't start the thread \(name): error \(code); fewer readers need fewer threads")
        }
        self.thread = thread
    }

    /// Waits for its end. Called once, when the thread has nothing left to do, so it returns at once.
    func join() { pthread_join(thread, nil) }

    /// Lets it end by itself; instead of `join`.
    func detach() { pthread_detach(thread) }

    private static func withSignalsBlocked(_ body: () -> Int32) -> Int32 {
        var all = sigset_t()
        var before = sigset_t()
        unsafe sigfillset(&all)
        unsafe pthread_sigmask(SIG_SETMASK, &all, &before)
        defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
        return body()
    }
}

/// What a new thread is given.
private final class ThreadStart: Sendable {
    let name: String
    let body: @Sendable () -> Void

    init(_ name: String, _ body: @escaping @Sendable () -> Void) {
        self.name = name
        self.body = body
    }
}
