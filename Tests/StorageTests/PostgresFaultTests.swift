import Glibc
import TestTools
import Testing

@testable import Storage

@Suite("Faults of a PostgreSQL server", .serialized)
struct PostgresFaultTests {
    @Test("while it is away a transaction is refused as away, and when it is back all goes on by itself")
    func restart() async throws {
        let (server, place) = try Self.server()
        try await place.with { database in
            try await database.insert(1)
            server.stop()
            for _ in 1...5 {
                #expect(await Self.insert(2, in: database) == .away)
                #expect(await code { () throws(SQLError) in _ = try await database.itemCount() } == .away)
            }
            server.start()
            while await Self.insert(3, in: database) == .away { await Task.yield() }
            while await code({ () throws(SQLError) in _ = try await database.itemCount() }) == .away {
                await Task.yield()
            }
            #expect(try await database.itemNumbers() == [1, 3])
        }
    }

    @Test("connections that broke while nobody used them cost no transaction")
    func stale() async throws {
        let (server, place) = try Self.server()
        try await place.with { database in
            try await database.insert(1)
            server.stop()
            server.start()
            try await database.insert(2)
            #expect(try await database.itemNumbers() == [1, 2])
        }
    }

    @Test("one that is there and says nothing costs a call its deadline, and no more")
    func silent() async throws {
        let (server, place) = try Self.server()
        try await place.with { database in
            try await database.insert(1)
            server.signal(SIGSTOP)
            let late = await Self.insert(2, in: database, deadline: .now + .milliseconds(300))
            server.signal(SIGCONT)
            #expect(late == .deadlineExceeded)
            while await Self.insert(3, in: database) != nil { await Task.yield() }
            #expect(try await database.itemNumbers() == [1, 3])
        }
    }

    @Test(
        "a change whose wait for a standby is broken off by its deadline is not answered as kept: another may not have it"
    )
    func noStandby() async throws {
        let (server, place) = try Self.server()
        _ = try server.answer(
            "ALTER SYSTEM SET wal_level = 'replica'; ALTER SYSTEM SET max_wal_senders = 1;")
        server.stop()
        server.start()
        var settings = DatabaseSettings()
        // The server's limit too: a COMMIT is waited for beyond the caller's deadline.
        settings.statementTimeout = .seconds(2)
        try await place.with(settings: settings) { database in
            try await database.insert(1)
            let set = "ALTER SYSTEM SET synchronous_standby_names = "
            _ = try server.answer("\(set)'nobody'; SELECT pg_reload_conf();")
            // The server takes a moment to see it.
            var id = 2
            while await Self.insert(id, in: database) == nil { id += 1 }
            for id in 100_000...100_002 {
                // What follows an answer goes with the COMMIT, which the deadline's stop may meet.
                let late = await code { () throws(SQLError) in
                    try await database.write(deadline: .now + .milliseconds(200)) { transaction throws(SQLError) in
                        _ = try transaction.rows("SELECT id FROM items WHERE id = ?1", id) { _ throws(SQLError) in 0 }
                        try transaction.execute("INSERT INTO items (id, word) VALUES (?1, 'x')", id)
                    }
                }
                #expect(late != nil)
            }
            _ = try server.answer("\(set)''; SELECT pg_reload_conf();")
        }
    }

    @Test("a statement that ends by itself while the server is asked to stop it costs the next one nothing")
    func lateStop() async throws {
        let (server, place) = try Self.server()
        try await place.with { database in
            _ = try await database.itemCount()
            // Those that are connected go on; who asks to stop one waits.
            server.signal(SIGSTOP, isForAll: false)
            let late = await code { () throws(SQLError) in
                try await Self.count(to: 2_000_000, in: database, deadline: .now + .milliseconds(20))
            }
            server.signal(SIGCONT, isForAll: false)
            #expect(late == .deadlineExceeded)
            for _ in 1...10 { try await Self.count(to: 300_000, in: database) }
        }
    }

    @Test("transactions that are in each other's way all succeed in the end")
    func deadlock() async throws {
        var place = DatabasePlace(
            address: try PostgresServer.shared.get().url, schema: "test_\(UInt64.random(in: 0 ... .max))")
        place.connections = 8
        try await place.with { database in
            for id in 1...2 { try await database.insert(id, "\(id)") }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<40 {
                    group.addTask {
                        try await database.write { transaction throws(SQLError) in
                            for id in number % 2 == 0 ? [1, 2] : [2, 1] {
                                try transaction.execute(
                                    "UPDATE items SET word = word || 'x' WHERE id = ?1", id)
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
            let lengths = try await database.read { transaction throws(SQLError) in
                try transaction.rows("SELECT length(word) FROM items") { row throws(SQLError) in try row.integer(0) }
            }
            #expect(lengths == [41, 41])
        }
    }

    @Test("a wrong password, user or database is refused with a sentence, which has no secret")
    func refused() async throws {
        let server = try PostgresServer(password: "right-9a1")
        let folder = TemporaryFolder()
        let (right, wrong) = (
            try folder.write("right-9a1\n", to: "right"), try folder.write("wrong-7b3\n", to: "wrong")
        )
        for (url, file) in [
            (server.url, wrong), (server.url, nil), (server.url.replacing("waymark@", with: "nobody@"), right),
            (server.url.replacing("/postgres", with: "/nothing"), right),
        ] {
            let error = await Self.error(opening: url, passwordFile: file)
            #expect(error?.code == .refused)
            #expect(error?.message.contains("check the user, the password, the database's name") == true)
            #expect(!"\(String(describing: error))".contains("9a1") && !"\(String(describing: error))".contains("7b3"))
        }
        #expect(await Self.error(opening: server.url, passwordFile: right) == nil)
        #expect(await Self.error(opening: server.url, passwordFile: folder.file("none"))?.code == .cannotOpen)
        let gone = await Self.error(opening: server.url(host: "\(server.folder)/none"), passwordFile: right)
        #expect(gone?.code == .away)
    }

    @Test(
        "one that starts, stops or is full is away, and one that knows no such user refuses",
        arguments: [
            ("FATAL:  the database system is starting up", SQLError.Code.away),
            ("FATAL:  the database system is shutting down", .away),
            ("FATAL:  sorry, too many clients already", .away), ("connection refused", .away),
            ("FATAL:  role \"nobody\" does not exist", .refused), ("fe_sendauth: no password supplied", .refused),
        ])
    func noConnection(words: String, code: SQLError.Code) {
        #expect(PostgresFailure.noConnection(at: "postgresql://db/waymark", cause: words).code == code)
    }

    @Test("a clock that is impossibly wrong is not believed")
    func clock() {
        let clock = SharedClock()
        clock.set(300)
        #expect(clock.lead == 0, "as long as measuring takes")
        clock.set(60_000)
        #expect(clock.lead == 60_000)
        for wrong in [Int64.min, .max, .min] {
            clock.set(wrong)
            #expect(abs(clock.lead) < 400_000_000_000)
        }
    }

    @Test("replicas that start at once on an empty database upgrade it once")
    func replicas() async throws {
        var place = DatabasePlace(
            address: try PostgresServer.shared.get().url, schema: "test_\(UInt64.random(in: 0 ... .max))")
        place.connections = 2
        let shared = place
        try await withThrowingTaskGroup(of: Void.self) { group in
            for id in 1...8 {
                group.addTask {
                    try await shared.with { database in try await database.insert(id) }
                }
            }
            try await group.waitForAll()
        }
        let numbers = try await place.with { database in try await database.itemNumbers() }
        #expect(numbers == Array(1...8))
    }

    /// A statement that takes a few tenths of a second for a million numbers.
    private static func count(
        to last: Int, in database: Database, deadline: ContinuousClock.Instant? = nil
    ) async throws(SQLError) {
        try await database.read(deadline: deadline) { transaction throws(SQLError) in
            try transaction.execute("SELECT count(*) FROM generate_series(1, ?1)", last)
        }
    }

    private static func insert(
        _ id: Int, in database: Database, deadline: ContinuousClock.Instant? = nil
    ) async -> SQLError.Code? {
        await code { () throws(SQLError) in try await database.insert(id, deadline: deadline) }
    }

    private static func server() throws -> (PostgresServer, DatabasePlace) {
        let server = try PostgresServer()
        return (server, DatabasePlace(address: server.url, schema: "faults"))
    }

    private static func error(opening url: String, passwordFile: String?) async -> SQLError? {
        var settings = DatabaseSettings()
        settings.passwordFile = passwordFile
        settings.connections = 2
        do throws(SQLError) {
            await (try Database.open(url, migrations: [items], settings: settings)).close()
            return nil
        } catch {
            return error
        }
    }
}
