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
        private let steps = Atomic(0)

        /// Waits until so many steps were done. In no order that the sanitizer sees.
        func step(until count: Int) {
            steps.add(1, ordering: .relaxed)
            while steps.load(ordering: .relaxed) < count { sched_yield() }
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
                // Of a thread that has not begun, or has ended, the sanitizer knows too little to report a race.
                counter.step(until: 2)
                for _ in 0..<1_000 { counter.add() }
                counter.step(until: 4)
            }
        }
        for thread in threads { thread.join() }
        #expect(counter.count == 2_000)
    }
}
