import Glibc

/// Loops that a thread has given jobs to, and wakes in one go. One that is woken at once may take the core from the
/// thread, for the first of several jobs alone.
///
/// Confined to the thread on which it is made.
package final class HeldWakes {
    private var loops: [EventLoop] = []

    /// Runs `body` on a thread that is no loop's; the loops to which it gives jobs are woken at its end, or by `letGo`.
    package static func hold(_ body: () -> Void) {
        let held = HeldWakes()
        unsafe pthread_setspecific(key, Unmanaged.passUnretained(held).toOpaque())
        defer {
            pthread_setspecific(key, nil)
            held.letGo()
        }
        body()
    }

    /// What the caller's thread holds back; nil outside of `hold`.
    package static var ofThread: HeldWakes? {
        // `hold` keeps it until it has taken it away from the thread.
        unsafe pthread_getspecific(key).map { unsafe Unmanaged.fromOpaque($0).takeUnretainedValue() }
    }

    /// Wakes those that wait for it now.
    package func letGo() {
        for loop in loops { loop.wake() }
        loops.removeAll(keepingCapacity: true)
    }

    func add(_ loop: EventLoop) {
        if !loops.contains(where: { $0 === loop }) { loops.append(loop) }
    }

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        let result = unsafe pthread_key_create(&key, nil)
        precondition(result == 0, "no pthread key left")
        return key
    }()
}
