internal import EventLoops
internal import Glibc

/// A bounded first-in-first-out queue on which threads sleep.
///
/// Only one sleeping thread at a time is being woken: it wakes the next one if it finds more than it takes. So a burst
/// wakes no more threads than arrive in time to take part of it.
///
/// `@unchecked Sendable`: every access to the mutable properties happens between `lock` and `unlock` of `mutex`
/// (`withLock`), and the two C objects live at fixed addresses from `init` to `deinit`.
@safe
final class WorkQueue<Element: Sendable>: @unchecked Sendable {
    /// The result of offering an element.
    enum Offer { case accepted, full, closed }

    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    /// Counts wake-ups. With a condition, sleepers would wake up holding the mutex, at two more system calls each.
    private let wakes = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
    private let limit: Int
    private var ring: [Element?] = []
    private var head = 0
    private var count = 0
    private var accepted: UInt64 = 0
    /// Threads that sleep and have not been woken yet.
    private var sleepers = 0
    /// Whether a thread was woken and has not run yet.
    private var isWaking = false
    private var isRefusing = false
    private var isClosed = false

    init(limit: Int) {
        self.limit = max(1, limit)
        unsafe mutex.initialize(to: pthread_mutex_t())
        unsafe wakes.initialize(to: sem_t())
        unsafe pthread_mutex_init(mutex, nil)
        unsafe sem_init(wakes, 0, 0)
        ring = Array(repeating: nil, count: self.limit)
    }

    deinit {
        unsafe sem_destroy(wakes)
        unsafe pthread_mutex_destroy(mutex)
        unsafe wakes.deallocate()
        unsafe mutex.deallocate()
    }

    /// Elements that wait now.
    var depth: Int { withLock { count } }

    /// Adds an element unless the queue is full or closed, and wakes a thread for it: on a loop, at the end of its
    /// turn. Earlier, the thread could take the core from the loop, at two thread switches each time; this way it finds
    /// everything that the turn has queued.
    func offer(_ element: Element) -> Offer {
        let (offer, mustWake): (Offer, Bool) = withLock {
            guard !isRefusing else { return (.closed, false) }
            guard count < limit else { return (.full, false) }
            ring[(head + count) % limit] = element
            count += 1
            accepted += 1
            return (.accepted, takeSleeper())
        }
        // After the lock is released, or the woken thread would wait for it.
        if mustWake {
            if let loop = EventLoop.ofThread { loop.atTurnEnd(self) } else { wake() }
        }
        return offer
    }

    /// The next element, after sleeping if necessary; nil once the queue is closed.
    func waitForNext() -> Element? {
        var wasWoken = false
        while true {
            let (element, mustSleep, mustWake): (Element?, Bool, Bool) = withLock {
                if wasWoken { isWaking = false }
                let element = removeFirst()
                let mustSleep = element == nil && !isClosed
                if mustSleep { sleepers += 1 }
                return (element, mustSleep, count > 0 && takeSleeper())
            }
            if mustWake { wake() }
            guard mustSleep else { return element }
            while unsafe sem_wait(wakes) != 0 {}  // Interrupted: it can't fail for any other reason.
            wasWoken = true
        }
    }

    /// The next element if there is one now.
    func next() -> Element? { withLock { removeFirst() } }

    /// A mark after the elements that were accepted up to now.
    var mark: UInt64 { withLock { accepted } }

    /// The next element that was accepted before the mark was taken, if one is left.
    func next(before mark: UInt64) -> Element? {
        withLock { accepted - UInt64(count) < mark ? removeFirst() : nil }
    }

    /// Accepts no more elements and returns those that were not taken.
    func drain() -> [Element] {
        withLock {
            isRefusing = true
            var left: [Element] = []
            while let element = removeFirst() { left.append(element) }
            return left
        }
    }

    /// Drains it, and ends the threads that sleep on it.
    func close() -> [Element] {
        let left = drain()
        let sleeping = withLock {
            defer { sleepers = 0 }
            isClosed = true
            return sleepers
        }
        for _ in 0..<sleeping { unsafe sem_post(wakes) }
        return left
    }

    private func wake() { unsafe sem_post(wakes) }

    /// Whether a sleeping thread is to be woken now.
    private func takeSleeper() -> Bool {
        guard sleepers > 0, !isWaking else { return false }
        sleepers -= 1
        isWaking = true
        return true
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

extension WorkQueue: TurnEndObserver {
    func turnEnded() { wake() }
}
