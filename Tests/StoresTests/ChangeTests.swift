import BaseContracts
import Daemon
import RPC
import Storage
import Stores
import Synchronization
import TestSupport
import TestTools
import Testing
import Wire

@Suite("P36 A change that its caller has named")
struct ChangeTests {
    private enum Refusal: Error, Equatable { case no }

    private static let method = MethodDescriptor(
        service: "a.B", method: "C", kind: .unary, isIdempotent: false, hasNoSideEffects: false, role: .user)

    private static let rows = Migration("rows", "CREATE TABLE rows (word TEXT NOT NULL);")

    private static func change(
        _ id: String, _ word: String, account: String = "anna", clock: ManualClock = ManualClock()
    ) throws -> Change {
        let context = CallContext(
            method: method, identity: ProvenIdentity(account: account, roles: .ofAccounts, expiresUnixMs: .max))
        return try Change(id, request(word), context, clock: clock.clock)
    }

    private static func request(_ word: String) -> EchoRequest { EchoRequest(payload: Array(word.utf8)) }

    /// Stores a word; the answer tells how many there are then. "no" is refused after it was stored.
    private static func put(_ database: Database, _ change: Change, _ word: String) async throws -> String {
        let answer: EchoResponse = try await database.make(change, of: "words") {
            transaction throws(SQLError) -> Result<EchoResponse, Refusal> in
            try transaction.execute("INSERT INTO rows (word) VALUES (?1)", word)
            if word == "no" { return .failure(.no) }
            let count = try transaction.first("SELECT count(*) FROM rows") { row throws(SQLError) in
                try row.integer(0)
            }
            return .success(EchoResponse(payload: Array("\(count ?? 0)".utf8)))
        }
        return String(decoding: answer.payload, as: UTF8.self)
    }

    private func withDatabase(_ body: (Database) async throws -> Void) async throws {
        let folder = TemporaryFolder()
        let database = try await Database.open(
            folder.path + "/a.db", migrations: [Self.rows, RequestSchema.migration])
        do { try await body(database) } catch { Issue.record(error) }
        await database.close()
    }

    @Test("is made once; its repetition gets the first answer")
    func once() async throws {
        try await withDatabase { database async throws in
            #expect(try await Self.put(database, Self.change("one", "a"), "a") == "1")
            #expect(try await Self.put(database, Self.change("two", "b"), "b") == "2")
            #expect(try await Self.put(database, Self.change("one", "a"), "a") == "1")
            #expect(try await Self.put(database, Self.change("one", "a", account: "ben"), "a") == "3")
        }
    }

    @Test("is made once by two replicas that get it at the same moment; both give its answer")
    func twoReplicas() async throws {
        var settings = DatabaseSettings()
        settings.schema = "test_\(UInt64.random(in: 0 ... .max))"
        let url = try PostgresServer.shared.get().url
        let migrations = [Self.rows, RequestSchema.migration]
        let databases = [
            try await Database.open(url, migrations: migrations, settings: settings),
            try await Database.open(url, migrations: migrations, settings: settings),
        ]
        for number in 1...10 {
            let change = try Self.change("change \(number)".replacing(" ", with: "-"), "a")
            let answers = try await withThrowingTaskGroup(of: String.self) { group in
                for database in databases + databases { group.addTask { try await Self.put(database, change, "a") } }
                return try await group.reduce(into: Set()) { $0.insert($1) }
            }
            #expect(answers == ["\(number)"])
        }
        for database in databases { await database.close() }
    }

    @Test("without a name is made each time")
    func unnamed() async throws {
        try await withDatabase { database async throws in
            #expect(try await Self.put(database, Self.change("", "a"), "a") == "1")
            #expect(try await Self.put(database, Self.change("", "a"), "a") == "2")
        }
    }

    @Test("can't borrow the name of another one")
    func borrowed() async throws {
        try await withDatabase { database async throws in
            _ = try await Self.put(database, Self.change("one", "a"), "a")
            let error = try await errorOf { try await Self.put(database, Self.change("one", "b"), "b") }
            #expect(error?.code == .alreadyExists, "D6: the request is fine, what is stored is in its way")
            #expect(error?.message.hasPrefix("request_id: it named another change") == true)
            #expect(error?.details?.fieldViolations.first?.field == "request_id")
        }
    }

    @Test("that is refused leaves nothing, and may be asked for again")
    func refused() async throws {
        try await withDatabase { database async throws in
            for _ in 1...2 {
                await #expect(throws: Refusal.no) { try await Self.put(database, Self.change("one", "no"), "no") }
            }
            #expect(try await Self.put(database, Self.change("two", "a"), "a") == "1")
        }
    }

    @Test("is remembered for a day")
    func day() async throws {
        let clock = ManualClock()
        try await withDatabase { database async throws in
            _ = try await Self.put(database, Self.change("one", "a", clock: clock), "a")
            clock.move(by: Change.lifeMilliseconds)
            #expect(try await Self.put(database, Self.change("one", "a", clock: clock), "a") == "1")
            clock.move(by: 1)
            #expect(try await Self.put(database, Self.change("one", "a", clock: clock), "a") == "2")
        }
    }
}
