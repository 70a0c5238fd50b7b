import EventLoops
import Glibc
import Synchronization
import Testing

@Suite("Time on a loop")
struct LoopTimeTests {
    /// Notes what the loop takes for the time when its descriptor becomes readable.
    private final class Observer: IOHandler, Sendable {
        let loop: EventLoop
        let seen = Mutex<MonotonicTime?>(nil)
        let done: ConditionMutex<Bool>

        init(_ loop: EventLoop, _ done: ConditionMutex<Bool>) {
            self.loop = loop
            self.done = done
        }

        func ready(read: Bool, write: Bool) {
            guard seen.withLock({ $0 == nil }) else { return }
            seen.withLock { $0 = loop.now }
            done.withLock { done, wake in
                done = true
                wake.all()
            }
        }
    }

    @Test("is new when an event wakes a loop that has slept: a deadline starts then, not when the loop fell asleep")
    func freshAfterSleep() throws {
        let loop = try EventLoop()
        defer { loop.shutDown() }
        let (readEnd, writeEnd) = try makePipe()
        let done = ConditionMutex(false)
        let observer = Observer(loop, done)
        loop.execute { _ = try? loop.register(readEnd, observer) }
        // The subject is time that passes: the loop has nothing to do for a fifth of a second.
        poll(nil, 0, 200)
        let before = MonotonicTime.now
        #expect(write(writeEnd, "x", 1) == 1)
        done.wait(until: { $0 }) { _ in }
        let seen = try #require(observer.seen.withLock { $0 })
        #expect(seen >= before, "the loop's time is \(before.since(seen)) old")
        close(writeEnd)
    }
}
