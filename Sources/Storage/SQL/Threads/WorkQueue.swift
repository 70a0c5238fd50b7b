internal import Glibc

/// A bounded first-in-first-out queue that threads sleep on.
///
/// `@unchecked Sendable`: every access to the mutable properties happens between `lock` and `unlock` of `mutex`
/// (`withLock`), and the two C objects live at fixed addresses from `init` to `deinit`.
@safe
final class WorkQueue<Element: Sendable>: @unchecked Sendable {
    /// What became of an element that was offered.
    enum Offer { case accepted, full, closed }

    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private let limit: Int
    private var ring: [Element?] = []
    private var head = 0
    private var count = 0
    private var sleepers = 0
    private var isRefusing = false
    private var isClosed = false

    init(limit: Int) {
        self.limit = max(1, limit)
        unsafe mutex.initialize(to: pthread_mutex_t())
        unsafe condition.initialize(to: pthread_cond_t())
        unsafe pthread_mutex_init(mutex, nil)
        unsafe pthread_cond_init(condition, nil)
        ring = Array(repeating: nil, count: self.limit)
    }

    deinit {
        unsafe pthread_cond_destroy(condition)
        unsafe pthread_mutex_destroy(mutex)
        unsafe condition.deallocate()
        unsafe mutex.deallocate()
    }

    /// Elements that wait now.
    var depth: Int { withLock { count } }

    /// Adds an element unless the queue is full or closed, and wakes a thread for it.
    func offer(_ element: Element) -> Offer {
        let (offer, mustWake): (Offer, Bool) = withLock {
            guard !isRefusing else { return (.closed, false) }
            guard count < limit else { return (.full, false) }
            ring[(head + count) % limit] = element
            count += 1
            return (.accepted, sleepers > 0)
        }
        // After the lock is given back, or who wakes up would wait for that.
        if mustWake { unsafe pthread_cond_signal(condition) }
        return offer
    }

    /// The next element, slept for if need be; nil once the queue is closed.
    func waitForNext() -> Element? {
        withLock {
            while count == 0, !isClosed {
                sleepers += 1
                unsafe pthread_cond_wait(condition, mutex)
                sleepers -= 1
            }
            return removeFirst()
        }
    }

    /// The next element if there is one now.
    func next() -> Element? { withLock { removeFirst() } }

    /// Lets nothing in any more and gives back what nobody took.
    func drain() -> [Element] {
        withLock {
            isRefusing = true
            var left: [Element] = []
            while let element = removeFirst() { left.append(element) }
            return left
        }
    }

    /// Drains it, and sends home the threads that sleep on it.
    func close() -> [Element] {
        let left = drain()
        withLock {
            isClosed = true
            unsafe pthread_cond_broadcast(condition)
        }
        return left
    }

    private func removeFirst() -> Element? {
        guard count > 0 else { return nil }
        let element = ring[head]
        ring[head] = nil
        head = (head + 1) % limit
        count -= 1
        return element
    }

    private func withLock<Value>(_ body: () -> Value) -> Value {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return body()
    }
}
