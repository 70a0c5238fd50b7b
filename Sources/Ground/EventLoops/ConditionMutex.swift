import Glibc

/// A value behind a POSIX mutex, with a condition to wait for. For our own threads only, never for tasks.
///
/// `@unchecked Sendable`: the value is touched only between lock and unlock, and the two POSIX objects are made for
/// use by many threads; they stay at fixed addresses until `deinit`, when no one can hold them any more.
@safe
package final class ConditionMutex<Value>: @unchecked Sendable {
    /// Records which waiting threads to wake: after the lock is released, or they would have to wait for it.
    package struct Waker {
        fileprivate var wakes = Wakes.none
        package mutating func one() { if wakes == .none { wakes = .one } }
        package mutating func all() { wakes = .all }
    }

    fileprivate enum Wakes { case none, one, all }

    private var value: Value
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    package init(_ value: sending Value) {
        self.value = value
        unsafe mutex.initialize(to: pthread_mutex_t())
        unsafe condition.initialize(to: pthread_cond_t())
        unsafe pthread_mutex_init(mutex, nil)
        unsafe pthread_cond_init(condition, nil)
    }

    deinit {
        unsafe pthread_cond_destroy(condition)
        unsafe pthread_mutex_destroy(mutex)
        unsafe condition.deallocate()
        unsafe mutex.deallocate()
    }

    package func withLock<R>(_ body: (inout Value, inout Waker) throws -> R) rethrows -> R {
        var waker = Waker()
        defer { wake(waker.wakes) }
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return try body(&value, &waker)
    }

    private func wake(_ wakes: Wakes) {
        switch wakes {
        case .none: break
        case .one: unsafe pthread_cond_signal(condition)
        case .all: unsafe pthread_cond_broadcast(condition)
        }
    }

    /// Sleeps until `isReady`, then runs `body`, all under the lock.
    package func wait<R>(until isReady: (Value) -> Bool, _ body: (inout Value) -> R) -> R {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        while !isReady(value) { unsafe pthread_cond_wait(condition, mutex) }
        return body(&value)
    }
}
