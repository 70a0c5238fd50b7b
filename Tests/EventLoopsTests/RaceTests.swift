import EventLoops
import Glibc
import Synchronization
import Testing

/// What the thread sanitizer has to get right: it says nothing of two threads that wait for each other at a mutex, and
/// does when they don't. That script/test asks for with WAYMARK_RACE.
@Suite("Two threads")
struct RaceTests {
    /// `@unchecked Sendable`: changed behind the mutex, unless a race is wanted.
    private final class Counter: @unchecked Sendable {
        private let mutex = Mutex(())
        private let isRacing = getenv("WAYMARK_RACE") != nil
        private(set) var count = 0
        private let present = Atomic(0)

        /// Waits until both threads are there. Where one ends before the other begins, the sanitizer takes the two for
        /// one.
        func meet() {
            present.add(1, ordering: .relaxed)
            while present.load(ordering: .relaxed) < 2 { sched_yield() }
        }

        func add() {
            if isRacing { count += 1 } else { mutex.withLock { _ in count += 1 } }
        }
    }

    @Test("count as far as both together")
    func counting() {
        let counter = Counter()
        let threads = (0..<2).map { _ in
            PosixThread(name: "counter") {
                counter.meet()
                for _ in 0..<100_000 { counter.add() }
            }
        }
        for thread in threads { thread.join() }
        #expect(counter.count == 200_000)
    }
}
