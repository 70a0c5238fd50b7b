import Glibc

/// Loops that a thread has given jobs to, and wakes together. A loop that is woken at once may take the core from the
/// thread for just the first of several jobs.
///
/// Confined to the thread on which it is made.
package final class HeldWakes {
    private var loops: [EventLoop] = []

    /// Runs `body` on a thread that is not a loop's; the loops that it gives jobs to are woken at its end, or by
    /// `letGo`.
    package static func hold(_ body: () -> Void) {
        let held = HeldWakes()
        unsafe pthread_setspecific(key, Unmanaged.passUnretained(held).toOpaque())
        defer {
            pthread_setspecific(key, nil)
            held.letGo()
        }
        body()
    }

    /// The held wakes of the caller's thread; nil outside of `hold`.
    package static var ofThread: HeldWakes? {
        // `hold` retains it until it has removed it from the thread.
        unsafe pthread_getspecific(key).map { unsafe Unmanaged.fromOpaque($0).takeUnretainedValue() }
    }

    /// Wakes the held loops now.
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
