import Glibc

/// A value behind a POSIX mutex, with a condition to wait for. For threads of our own only, never for tasks.
///
/// `@unchecked Sendable`: the value is touched only between lock and unlock, and the two POSIX objects are made for
/// being used by many threads; they live at fixed addresses until `deinit`, when no one can hold them any more.
@safe
package final class ConditionMutex<Value>: @unchecked Sendable {
    /// Wakes threads that wait. Given to whoever holds the lock.
    @safe
    package struct Waker {
        fileprivate let condition: UnsafeMutablePointer<pthread_cond_t>
        package func one() { unsafe pthread_cond_signal(condition) }
        package func all() { unsafe pthread_cond_broadcast(condition) }
    }

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

    package func withLock<R>(_ body: (inout Value, Waker) throws -> R) rethrows -> R {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return try body(&value, unsafe Waker(condition: condition))
    }

    /// Sleeps until `isReady`, then runs `body`, all under the lock.
    package func wait<R>(until isReady: (Value) -> Bool, _ body: (inout Value) -> R) -> R {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        while !isReady(value) { unsafe pthread_cond_wait(condition, mutex) }
        return body(&value)
    }
}
