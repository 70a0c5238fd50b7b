import EventLoops
import Glibc
import Synchronization
import TestSupport
import Testing

@Suite("Event loop", .timeLimit(.minutes(3)))
struct EventLoopTests {
    /// An actor that lives on a loop.
    private actor Resident {
        nonisolated let loop: EventLoop
        private var count = 0

        nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

        init(_ loop: EventLoop) { self.loop = loop }

        /// Counts, suspends in between, and gives whether it ran on its loop all the time.
        func count(to target: Int) async -> Bool {
            var isAtHome = loop.isCurrent
            for _ in 0..<target {
                count += 1
                await Task.yield()
                isAtHome = isAtHome && loop.isCurrent
            }
            return isAtHome
        }

        var total: Int { count }
    }

    private func withLoop(_ body: (EventLoop) async throws -> Void) async throws {
        let loop = try EventLoop(name: "test")
        do {
            try await body(loop)
            loop.shutDown()
        } catch {
            loop.shutDown()
            throw error
        }
    }

    @Test("runs work in the order in which it was given")
    func order() async throws {
        try await withLoop { loop in
            let seen = Mutex<[Int]>([])
            let done = Tally()
            for index in 0..<1000 { loop.execute { seen.withLock { $0.append(index) } } }
            loop.execute { done.add() }
            try await done.wait()
            #expect(seen.withLock { $0 } == Array(0..<1000))
        }
    }

    @Test("runs work at once when it comes from the loop, later when that is asked for")
    func atOnceOrLater() async throws {
        try await withLoop { loop in
            let seen = Mutex<[String]>([])
            let done = Tally()
            loop.execute {
                loop.executeLater {
                    seen.withLock { $0.append("later") }
                    done.add()
                }
                loop.execute { seen.withLock { $0.append("at once") } }
                seen.withLock { $0.append("after") }
            }
            try await done.wait()
            #expect(seen.withLock { $0 } == ["at once", "after", "later"])
        }
    }

    @Test("keeps its actors and its tasks on its own thread")
    func isolation() async throws {
        try await withLoop { loop in
            #expect(!loop.isCurrent)
            let resident = Resident(loop)
            async let first = resident.count(to: 1000)
            async let second = resident.count(to: 1000)
            #expect(await first)
            #expect(await second)
            #expect(await resident.total == 2000)
            let stays = await Task(executorPreference: loop) {
                var stays = loop.isCurrent
                for _ in 0..<100 {
                    await Task.yield()
                    stays = stays && loop.isCurrent
                }
                async let child = loop.isCurrent
                return await child && stays
            }.value
            #expect(stays)
        }
    }

    @Test("loses no wake-up of 100,000 from many threads")
    func wakeUps() async throws {
        try await withLoop { loop in
            let done = Tally()
            let threads = 4
            await withTaskGroup(of: Void.self) { group in
                for thread in 0..<threads {
                    group.addTask {
                        for index in 0..<25_000 {
                            loop.execute { done.add() }
                            // Now and then the loop gets the time to fall asleep.
                            if index % 64 == thread { await Task.yield() }
                        }
                    }
                }
            }
            try await done.wait(for: 100_000)
        }
    }

    @Test("answers each of 20,000 single wake-ups, however deep it sleeps")
    func pingPong() async throws {
        try await withLoop { loop in
            let resident = Resident(loop)
            for _ in 0..<20_000 { _ = await resident.total }
        }
    }

    @Test("hands tasks over between two loops without losing one")
    func twoLoops() async throws {
        try await withLoop { first in
            try await withLoop { second in
                let residents = [Resident(first), Resident(second)]
                await withTaskGroup(of: Bool.self) { group in
                    for task in 0..<8 {
                        group.addTask {
                            var isAtHome = true
                            for turn in 0..<500 {
                                let atHome = await residents[(task + turn) % 2].count(to: 2)
                                isAtHome = isAtHome && atHome
                            }
                            return isAtHome
                        }
                    }
                    for await isAtHome in group { #expect(isAtHome) }
                }
                let total = await residents[0].total + residents[1].total
                #expect(total == 8 * 500 * 2)
            }
        }
    }

    /// Notes when its timers fire.
    private final class Clock: TimerOwner, Sendable {
        let fired = Mutex<[UInt32]>([])
        let tally = Tally()

        func timerFired(_ tag: UInt32) {
            fired.withLock { $0.append(tag) }
            tally.add()
        }
    }

    @Test("fires timers in order, never early, and not when they were cancelled")
    func timers() async throws {
        // Before the loop has its first turn, whose beginning is what the timers below count from.
        let start = MonotonicTime.now
        try await withLoop { loop in
            let clock = Clock()
            loop.execute {
                let now = loop.now
                _ = loop.setTimer(now + .milliseconds(30), owner: clock, tag: 3)
                _ = loop.setTimer(now + .milliseconds(10), owner: clock, tag: 1)
                let cancelled = loop.setTimer(now + .milliseconds(15), owner: clock, tag: 9)
                _ = loop.setTimer(now + .milliseconds(20), owner: clock, tag: 2)
                loop.cancelTimer(cancelled)
            }
            try await clock.tally.wait(for: 3)
            #expect(MonotonicTime.now >= start + .milliseconds(30))
            #expect(clock.fired.withLock { $0 } == [1, 2, 3])
        }
    }

    @Test("fires a timer although tasks keep it busy")
    func busy() async throws {
        try await withLoop { loop in
            let clock = Clock()
            loop.execute { _ = loop.setTimer(loop.now + .milliseconds(5), owner: clock, tag: 1) }
            let spinning = Task(executorPreference: loop) {
                while !Task.isCancelled { await Task.yield() }
            }
            try await clock.tally.wait()
            spinning.cancel()
            await spinning.value
        }
    }

    /// Notes the end of each turn, and what ran before it.
    private final class Observer: TurnEndObserver, Sendable {
        let events = Mutex<[String]>([])
        func turnEnded() { note("end") }
        func note(_ event: String) { events.withLock { $0.append(event) } }
    }

    /// Does something at the end of a turn.
    private final class Ending: TurnEndObserver, Sendable {
        private let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
        func turnEnded() { body() }
    }

    @Test("tells at the end of a turn, once, after all tasks that were runnable")
    func turnEnd() async throws {
        try await withLoop { loop in
            let observer = Observer()
            let done = Tally()
            loop.execute {
                loop.atTurnEnd(observer)
                for _ in 0..<3 { Task(executorPreference: loop) { observer.note("task") } }
                loop.executeLater { done.add() }
            }
            try await done.wait()
            #expect(observer.events.withLock { $0 } == ["task", "task", "task", "end"])
        }
    }

    @Test("tells who waits for an idle loop when nothing is left to do at once")
    func idle() async throws {
        try await withLoop { loop in
            let observer = Observer()
            let done = Tally()
            loop.execute {
                loop.whenIdle(
                    Ending {
                        observer.note("idle")
                        done.add()
                    })
                loop.atTurnEnd(observer)
                loop.executeLater {
                    observer.note("later")
                    Task(executorPreference: loop) { observer.note("task") }
                    loop.executeLater { observer.note("last") }
                }
            }
            try await done.wait()
            #expect(observer.events.withLock { $0 } == ["end", "later", "task", "last", "idle"])
        }
    }

    @Test("tells who waits for an idle loop after a few turns if it is never idle")
    func neverIdle() async throws {
        try await withLoop { loop in
            let observer = Observer()
            let done = Tally()
            @Sendable func goOn() {
                if observer.events.withLock({ $0.contains("end") || $0.count == 1_000 }) { return done.add() }
                observer.note("turn")
                loop.executeLater { goOn() }
            }
            loop.execute {
                loop.whenIdle(observer)
                goOn()
            }
            try await done.wait()
            let events = observer.events.withLock { $0 }
            #expect(events.last == "end")
            #expect(events.count < 10)
        }
    }

    @Test("is woken for what a thread holds back when that lets go, and at once by anybody else")
    func heldWakes() async throws {
        try await withLoop { loop in
            let observer = Observer()
            let (done, others) = (Tally(), Tally())
            try await untilAsleep(loop)
            HeldWakes.hold {
                loop.execute { observer.note("held") }
                loop.execute { done.add() }
                // A thread of its own takes longer to begin and to end than a loop that is woken.
                PosixThread(name: "time") {}.join()
                observer.note("let go")
            }
            try await done.wait()
            #expect(observer.events.withLock { $0 } == ["let go", "held"])

            try await untilAsleep(loop)
            HeldWakes.hold {
                loop.execute { others.add() }
                PosixThread(name: "other") { loop.execute { observer.note("other") } }.join()
                while observer.events.withLock({ $0.last != "other" }) { sched_yield() }
            }
            #expect(others.count == 1)
        }
    }

    /// Returns when the loop has had a turn behind which it sleeps.
    private func untilAsleep(_ loop: EventLoop) async throws {
        let turns = Mutex<UInt64?>(nil)
        loop.execute { turns.withLock { $0 = loop.counters.turns.count } }
        while turns.withLock({ $0 }).map({ loop.counters.turns.count <= $0 }) ?? true { await Task.yield() }
    }

    @Test("lets what is queued end before it stops")
    func shutDown() async throws {
        for _ in 0..<100 {
            let loop = try EventLoop(name: "short")
            let done = Tally()
            for _ in 0..<10 { loop.execute { done.add() } }
            loop.shutDown()
            #expect(done.count == 10)
        }
    }

    @Test("of a group is known as the current one, and each has its turn")
    func group() async throws {
        let group = try EventLoopGroup(count: 3)
        defer { group.shutDown() }
        #expect(group.currentIndex == nil)
        for (index, loop) in group.loops.enumerated() {
            let current = await Task(executorPreference: loop) { group.currentIndex }.value
            #expect(current == index)
        }
        #expect((0..<6).map { _ in group.nextIndex() } == [0, 1, 2, 0, 1, 2])
    }
}
