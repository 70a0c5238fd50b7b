import Budgets
import EventLoops
import Synchronization
import TestSupport
import Testing

@Suite("Blocking pool", .timeLimit(.minutes(3)))
struct BlockingPoolTests {
    private struct Failure: Error, Equatable {}

    /// Keeps a thread until it is opened.
    private struct Door {
        private let isOpen = ConditionMutex(false)
        let entered = Tally()

        func pass() {
            entered.add()
            isOpen.wait(until: { $0 }) { _ in }
        }

        func open() {
            isOpen.withLock { isOpen, wake in
                isOpen = true
                wake.all()
            }
        }
    }

    @Test("gives what the work gives, and throws what it throws")
    func results() async throws {
        let pool = BlockingPool(threadCount: 2)
        defer { pool.close() }
        #expect(try await pool.run { 6 * 7 } == 42)
        await #expect(throws: Failure()) { try await pool.run { throw Failure() } }
    }

    @Test("runs as many pieces at once as it has threads, and the rest in order")
    func parallel() async throws {
        let pool = BlockingPool(threadCount: 2)
        defer { pool.close() }
        let door = Door()
        for _ in 0..<2 { try pool.submit { door.pass() } }
        let order = Mutex<[Int]>([])
        let ended = Tally()
        for index in 0..<100 {
            try pool.submit {
                order.withLock { $0.append(index) }
                ended.add()
            }
        }
        try await door.entered.wait(for: 2)
        #expect(ended.count == 0)
        door.open()
        try await ended.wait(for: 100)
        #expect(order.withLock { $0.sorted() } == Array(0..<100))
    }

    @Test("refuses work when its queue is full, and takes it again later")
    func bounded() async throws {
        let pool = BlockingPool(threadCount: 1, queueLimit: 2)
        defer { pool.close() }
        let door = Door()
        try pool.submit { door.pass() }
        try await door.entered.wait()
        for _ in 0..<2 { try pool.submit {} }
        #expect(throws: BlockingPool.Refusal.full(limit: 2)) { try pool.submit {} }
        await #expect(throws: BlockingPool.Refusal.full(limit: 2)) { try await pool.run {} }
        door.open()
        let isFree = await eventually { (try? pool.submit {}) != nil }
        #expect(isFree)
    }

    @Test("does not start work for a task that was cancelled")
    func cancelled() async throws {
        let pool = BlockingPool(threadCount: 1)
        defer { pool.close() }
        let ran = Tally()
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            try await pool.run { ran.add() }
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(ran.count == 0)
    }

    @Test("does not start work that is given up while it waits, and clients take turns")
    func turns() async throws {
        let pool = BlockingPool(threadCount: 1)
        defer { pool.close() }
        let door = Door()
        let order = Mutex<[String]>([])
        try pool.submit { door.pass() }
        try await door.entered.wait()
        @Sendable func add(_ name: String, of client: Int) throws {
            try Sharer.$current.withValue(Sharer(ClientKey("10.0.0.\(client)"), .known)) {
                try pool.submit { order.withLock { $0.append(name) } }
            }
        }
        for number in 0..<3 { try add("a\(number)", of: 1) }
        let givenUp = Tally()
        let task = Task { try await pool.run { givenUp.add() } }
        try add("b", of: 2)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        door.open()
        try await pool.run {}
        #expect(await eventually { order.withLock { $0.count } == 4 })
        #expect(order.withLock { $0 } == ["a0", "b", "a1", "a2"] && givenUp.count == 0)
    }

    @Test("lets queued work end when it is closed, then refuses more")
    func closing() async throws {
        let pool = BlockingPool(threadCount: 3)
        let ended = Tally()
        for _ in 0..<1000 { try pool.submit { ended.add() } }
        pool.close()
        #expect(ended.count == 1000)
        #expect(throws: BlockingPool.Refusal.closed) { try pool.submit {} }
    }

    @Test("loses nothing of 100,000 pieces from many tasks")
    func stress() async throws {
        let pool = BlockingPool(threadCount: 4, queueLimit: .max)
        defer { pool.close() }
        let ended = Tally()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<10 {
                group.addTask {
                    for _ in 0..<9_000 { try pool.submit { ended.add() } }
                    for _ in 0..<1_000 { try await pool.run { ended.add() } }
                }
            }
            try await group.waitForAll()
        }
        try await ended.wait(for: 100_000)
    }
}
