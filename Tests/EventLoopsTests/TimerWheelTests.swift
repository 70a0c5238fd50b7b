import EventLoops
import TestSupport
import TestTools
import Testing

@Suite("Timer wheel", .timeLimit(.minutes(3)))
struct TimerWheelTests {
    private final class Owner: TimerOwner {
        func timerFired(_ tag: UInt32) {}
    }

    private let owner = Owner()
    private static let start: UInt64 = 5_000_000_000

    private static func time(_ milliseconds: Int) -> MonotonicTime {
        MonotonicTime(nanoseconds: start + UInt64(milliseconds) * 1_000_000)
    }

    private func wheel() -> TimerWheel { TimerWheel(now: Self.time(0)) }

    /// All tags that are due.
    private func due(_ wheel: inout TimerWheel, at milliseconds: Int) -> [UInt32] {
        var tags: [UInt32] = []
        while let (_, tag) = wheel.nextDue(Self.time(milliseconds)) { tags.append(tag) }
        return tags
    }

    @Test("fires each timer at its time or up to a millisecond later, never earlier")
    func times() {
        var wheel = wheel()
        let deadline = MonotonicTime(nanoseconds: Self.start + 10_400_000)
        _ = wheel.insert(deadline, owner: owner, tag: 1)
        #expect(wheel.nextDue(MonotonicTime(nanoseconds: Self.start + 10_399_999)) == nil)
        #expect(due(&wheel, at: 10) == [])
        #expect(due(&wheel, at: 11) == [1])
        #expect(wheel.count == 0)
    }

    @Test("fires in the order of time, whatever the order of setting")
    func order() {
        var wheel = wheel()
        for milliseconds in [30, 10, 20, 4000, 5000, 9000] {
            _ = wheel.insert(Self.time(milliseconds), owner: owner, tag: UInt32(milliseconds))
        }
        #expect(due(&wheel, at: 25) == [10, 20])
        #expect(due(&wheel, at: 4500) == [30, 4000])
        #expect(due(&wheel, at: 8999) == [5000])
        #expect(due(&wheel, at: 9001) == [9000])
    }

    @Test("fires what was due already at once, in the next millisecond")
    func past() {
        var wheel = wheel()
        _ = due(&wheel, at: 100)
        _ = wheel.insert(Self.time(3), owner: owner, tag: 7)
        #expect(due(&wheel, at: 100) == [], "a timer that is set while timers fire must not fire in the same turn")
        #expect(due(&wheel, at: 101) == [7])
    }

    @Test("keeps timers beyond one turn of the wheel for their own round")
    func laterRounds() {
        var wheel = wheel()
        for round in 0..<5 { _ = wheel.insert(Self.time(10 + 4096 * round), owner: owner, tag: UInt32(round)) }
        for round in 0..<5 {
            #expect(due(&wheel, at: 9 + 4096 * round) == [])
            #expect(due(&wheel, at: 11 + 4096 * round) == [UInt32(round)])
        }
    }

    @Test("fires everything after a long sleep, once")
    func longSleep() {
        var wheel = wheel()
        for index in 0..<1000 { _ = wheel.insert(Self.time(index * 37), owner: owner, tag: UInt32(index)) }
        #expect(due(&wheel, at: 100_000).sorted() == Array(0..<1000))
        #expect(wheel.count == 0)
        #expect(wheel.nextWakeUp() == nil)
    }

    @Test("forgets a cancelled timer")
    func cancelling() {
        var wheel = wheel()
        let first = wheel.insert(Self.time(10), owner: owner, tag: 1)
        _ = wheel.insert(Self.time(10), owner: owner, tag: 2)
        let third = wheel.insert(Self.time(10), owner: owner, tag: 3)
        wheel.cancel(first)
        wheel.cancel(first)
        wheel.cancel(third)
        #expect(wheel.count == 1)
        #expect(due(&wheel, at: 11) == [2])
    }

    @Test("leaves a newer timer alone when a stale token is cancelled")
    func staleTokens() {
        var wheel = wheel()
        let fired = wheel.insert(Self.time(10), owner: owner, tag: 1)
        #expect(due(&wheel, at: 11) == [1])
        _ = wheel.insert(Self.time(20), owner: owner, tag: 2)
        wheel.cancel(fired)
        #expect(due(&wheel, at: 21) == [2])
    }

    @Test("keeps a timer that never comes, and knows when to look again")
    func distantFuture() {
        var wheel = wheel()
        #expect(wheel.nextWakeUp() == nil)
        let never = wheel.insert(.distantFuture, owner: owner, tag: 1)
        #expect(wheel.nextWakeUp() != nil)
        #expect(due(&wheel, at: 100_000_000) == [])
        #expect(wheel.count == 1)
        wheel.cancel(never)
        #expect(wheel.nextWakeUp() == nil)
    }

    @Test("never sleeps past the next timer")
    func wakeUps() throws {
        var random = SeededGenerator(seed: 8)
        for _ in 0..<1000 {
            var wheel = wheel()
            let milliseconds = Int.random(in: 0...20_000, using: &random)
            _ = wheel.insert(Self.time(milliseconds), owner: owner, tag: 1)
            var wakeUps = 0
            while wheel.count > 0, let wakeUp = wheel.nextWakeUp() {
                #expect(wakeUp <= Self.time(milliseconds + 1))
                wakeUps += 1
                _ = wheel.nextDue(wakeUp)
            }
            #expect(wakeUps <= 6, "one a turn of the wheel, and the one that is due")
        }
    }

    @Test("agrees with a sorted list through 100,000 random steps")
    func model() {
        var random = SeededGenerator(seed: 9)
        var wheel = wheel()
        var model: [(token: TimerToken, tag: UInt32, milliseconds: Int)] = []
        var now = 0
        for tag in 0..<UInt32(100_000) {
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<5:
                let milliseconds = now + Int.random(in: 0...(tag % 3 == 0 ? 20_000 : 50), using: &random)
                model.append((wheel.insert(Self.time(milliseconds), owner: owner, tag: tag), tag, milliseconds))
            case 5..<8:
                guard let index = model.indices.randomElement(using: &random) else { continue }
                wheel.cancel(model.remove(at: index).token)
            default:
                now += Int.random(in: 0...(tag % 50 == 0 ? 6000 : 20), using: &random)
                // A timer fires in the millisecond after its own.
                let expected = model.filter { $0.milliseconds < now }.map(\.tag).sorted()
                model.removeAll { $0.milliseconds < now }
                let fired = due(&wheel, at: now).sorted()
                if fired != expected { Issue.record("at \(now): \(fired) instead of \(expected)") }
            }
            if wheel.count != model.count { Issue.record("\(wheel.count) timers instead of \(model.count)") }
        }
    }
}
