import EventLoops
import Storage
import TestTools
import Testing

@Suite("Deadlines, cancellation and closing")
struct StoppingTests {
    @Test("a deadline stops a query that would never end", arguments: Engine.allCases)
    func runningRead(engine: Engine) async throws {
        try await withDatabase(engine) { database in
            let stopped = await code { () throws(SQLError) in
                try await endless(database, deadline: .now + .milliseconds(30))
            }
            #expect(stopped == .deadlineExceeded)
            let count = try await database.itemCount()
            #expect(count == 0)
        }
    }

    @Test("a deadline that has passed lets nothing start", arguments: Engine.allCases)
    func late(engine: Engine) async throws {
        try await withDatabase(engine) { database in
            let past = ContinuousClock.now - .seconds(1)
            #expect(
                await code { () throws(SQLError) in try await database.insert(1, deadline: past) } == .deadlineExceeded)
            #expect(
                await code { () throws(SQLError) in try await endless(database, deadline: past) } == .deadlineExceeded)
            let count = try await database.itemCount()
            #expect(count == 0)
        }
    }

    @Test("many short statements are stopped by a deadline as well as a long one", arguments: Engine.allCases)
    func shortStatements(engine: Engine) async throws {
        try await withDatabase(engine) { database in
            let stopped = await code { () throws(SQLError) in
                try await database.write(deadline: .now + .milliseconds(30)) { transaction throws(SQLError) in
                    for id in 0... { try transaction.execute("INSERT INTO items (id) VALUES (?1)", id) }
                }
            }
            #expect(stopped == .deadlineExceeded)
            let count = try await database.itemCount()
            #expect(count == 0)
        }
    }

    @Test("cancelling stops a query that runs", arguments: Engine.allCases)
    func cancelledRunning(engine: Engine) async throws {
        try await withDatabase(engine) { database in
            let gate = Gate()
            let task = Task {
                await code { () throws(SQLError) in
                    try await database.read { transaction throws(SQLError) in
                        gate.pass()
                        try Self.spin(transaction)
                    }
                }
            }
            await gate.untilReached()
            gate.open()
            task.cancel()
            #expect(await task.value == .cancelled)
        }
    }

    @Test("cancelling answers one that waits at once, and it never starts", arguments: Engine.allCases)
    func cancelledWaiting(engine: Engine) async throws {
        try await withDatabase(engine) { database in
            let gate = Gate()
            async let held: Void = database.holdWriter(gate)
            await gate.untilReached()
            let task = Task { await code { () throws(SQLError) in try await database.insert(1) } }
            await database.untilWaiting(writes: 1)
            task.cancel()
            #expect(await task.value == .cancelled)
            gate.open()
            try await held
            let count = try await database.itemCount()
            #expect(count == 0)
        }
    }

    @Test("a task cancelled before it asks gets no transaction", arguments: Engine.allCases)
    func cancelledBefore(engine: Engine) async throws {
        try await withDatabase(engine) { database in
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return await code { () throws(SQLError) in try await database.insert(1) }
            }
            #expect(await task.value == .cancelled)
            let count = try await database.itemCount()
            #expect(count == 0)
        }
    }

    @Test("a full queue refuses as busy, and serves again when there is room", arguments: Engine.allCases)
    func busy(engine: Engine) async throws {
        var settings = DatabaseSettings()
        settings.waitingWrites = 2
        try await withDatabase(engine, settings: settings) { database in
            let gate = Gate()
            async let held: Void = database.holdWriter(gate)
            await gate.untilReached()
            async let first: Void = database.insert(1)
            async let second: Void = database.insert(2)
            await database.untilWaiting(writes: 2)
            #expect(await code { () throws(SQLError) in try await database.insert(3) } == .busy)
            #expect(database.metrics.refused == 1)
            gate.open()
            _ = try await (held, first, second)
            try await database.insert(4)
            #expect(try await database.itemNumbers() == [1, 2, 4])
        }
    }

    @Test(
        "closing finishes what runs, refuses what waits and what comes later, and can be repeated",
        arguments: Engine.allCases)
    func closing(engine: Engine) async throws {
        try await DatabasePlace.with(engine) { place in
            let database = try await place.open()
            let gate = Gate()
            let running = Task {
                await code { () throws(SQLError) in
                    _ = try await database.write { transaction throws(SQLError) in
                        gate.pass()
                        try transaction.execute("INSERT INTO items (id) VALUES (1)")
                    }
                }
            }
            await gate.untilReached()
            let waiting = Task { await code { () throws(SQLError) in try await database.insert(2) } }
            await database.untilWaiting(writes: 1)
            async let closed: Void = database.close()
            #expect(await waiting.value == .closed)
            gate.open()
            await closed
            #expect(await running.value == nil)
            await database.close()
            #expect(await code { () throws(SQLError) in try await database.insert(3) } == .closed)
            #expect(await code { () throws(SQLError) in _ = try await database.itemCount() } == .closed)

            let again = try await place.open()
            #expect(try await again.itemNumbers() == [1])
            await again.close()
        }
    }

    @Test("a database that is dropped without closing ends its threads by itself", arguments: Engine.allCases)
    func dropped(engine: Engine) async throws {
        try await DatabasePlace.with(engine) { place in
            for id in 1...5 {
                let database = try await place.open()
                try await database.insert(id)
            }
            let last = try await place.open()
            #expect(try await last.itemNumbers() == [1, 2, 3, 4, 5])
            await last.close()
        }
    }

    @Test("an answer does not wait for an endless query that its reader goes on with", arguments: Engine.allCases)
    func endlessBehind(engine: Engine) async throws {
        let loop = try EventLoop(name: "test")
        defer { loop.shutDown() }
        try await withDatabase(engine, settings: DatabaseSettings(readers: 1)) { database in
            let gate = Gate()
            async let held: Void = database.hold(gate)
            await gate.untilReached()
            let short = Task(executorPreference: loop) { try await database.itemCount() }
            await database.untilWaiting(reads: 1)
            let long = Task {
                await code { () throws(SQLError) in try await endless(database, deadline: .now + .seconds(20)) }
            }
            await database.untilWaiting(reads: 2)
            gate.open()
            try await held
            #expect(try await short.value == 0)
            long.cancel()
            #expect(await long.value == .cancelled)
        }
    }

    private func endless(_ database: Database, deadline: ContinuousClock.Instant?) async throws(SQLError) {
        try await database.read(deadline: deadline) { transaction throws(SQLError) in try Self.spin(transaction) }
    }

    private static func spin(_ transaction: borrowing Transaction) throws(SQLError) {
        try transaction.execute(
            "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n")
    }
}
