import EventLoops
import Synchronization

@testable import LoadTest

/// A clock that stands still while anything runs on its loop, and jumps to the next moment that somebody waits for when
/// nothing does. All that is measured by it is exact.
actor VirtualClock: LoadClock, TurnEndObserver {
    nonisolated let loop: EventLoop
    private nonisolated let time = Mutex(MonotonicTime(nanoseconds: 1_000_000_000))
    private var waiting: [(time: MonotonicTime, waiter: Waiter<Void>)] = []
    private var isArmed = false

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

    init(on loop: EventLoop) { self.loop = loop }

    nonisolated var now: MonotonicTime { time.withLock { $0 } }

    nonisolated var processor: ThreadTime { ThreadTime() }

    func wait(until moment: MonotonicTime) async {
        guard moment > now else { return }
        await Waiter.suspend { waiter in self.add(moment, waiter) }
    }

    private func add(_ moment: MonotonicTime, _ waiter: Waiter<Void>) {
        let index = waiting.firstIndex { $0.time > moment } ?? waiting.endIndex
        waiting.insert((moment, waiter), at: index)
        arm()
    }

    private func arm() {
        guard !isArmed, !waiting.isEmpty else { return }
        isArmed = true
        loop.atTurnEnd(self)
    }

    nonisolated func turnEnded() { assumeIsolated { $0.advance() } }

    private func advance() {
        isArmed = false
        let next = waiting.removeFirst()
        time.withLock { $0 = next.time }
        next.waiter.resume()
        loop.executeLater { self.assumeIsolated { $0.arm() } }
    }
}
