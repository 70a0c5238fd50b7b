import TestTools
import Testing

@testable import Storage

@Suite("A server is asked as seldom as a transaction allows")
struct RoundTripTests {
    private static let schema = [items, SubjectSchema.migration]

    /// How often the server was waited for in what `body` does, the connections being warm.
    private static func waits(
        _ database: Database, _ body: @Sendable () async throws -> Void
    ) async throws -> Int {
        try await body()
        let before = database.metrics.roundTrips
        try await body()
        return database.metrics.roundTrips - before
    }

    private static func version(of database: Database) async throws -> Int64 {
        try await database.read { transaction throws(SQLError) in try transaction.lastVersion(of: "ann") }
    }

    @Test("a read of one statement is asked once, and begins and ends nothing")
    func read() async throws {
        try await withDatabase(.postgres) { database in
            let count = try await Self.waits(database) {
                _ = try await database.read(.statement) { transaction throws(SQLError) in
                    try transaction.first("SELECT count(*) FROM items") { row throws(SQLError) in try row.integer(0) }
                }
            }
            #expect(count == 1)
        }
    }

    @Test("a write of one statement is asked once, and is kept")
    func write() async throws {
        try await withDatabase(.postgres) { database in
            let count = try await Self.waits(database) {
                let row = try await database.write(.statement) { transaction throws(SQLError) in
                    try transaction.first(
                        "INSERT INTO items (id) SELECT count(*) FROM items RETURNING id"
                    ) { row throws(SQLError) in try row.integer(0) }
                }
                let last = try await database.itemNumbers().last
                #expect(last == row)
            }
            #expect(count <= 3, "with the snapshot that looks for it, and the end of the one before")
        }
    }

    @Test("a change of a subject begins, locks it and reads in one, and writes, raises its version and ends in one")
    func change() async throws {
        try await withDatabase(.postgres, Self.schema) { database in
            let count = try await Self.waits(database) {
                try await database.write(.subject("ann")) { transaction throws(SQLError) in
                    let count = try transaction.first("SELECT count(*) FROM items") { row throws(SQLError) in
                        try row.integer(0)
                    }
                    let version = try transaction.nextVersion(of: "ann")
                    try transaction.execute("INSERT INTO items (id, word) VALUES (?1, ?2)", count, "\(version)")
                }
            }
            #expect(count == 2)
            #expect(try await database.itemNumbers() == [0, 1])
        }
    }

    @Test("versions of a subject follow one another, whatever a transaction raises", arguments: Engine.allCases)
    func versions(engine: Engine) async throws {
        try await withDatabase(engine, Self.schema) { database in
            var given: [Int64] = []
            for step in [1, 0, 3, 1, 0, 2] {
                given += try await database.write(.subject("ann")) { transaction throws(SQLError) in
                    var given: [Int64] = []
                    for _ in 0..<step { given.append(try transaction.nextVersion(of: "ann")) }
                    try transaction.execute("UPDATE items SET word = NULL WHERE id = 1")
                    return given
                }
            }
            given.append(
                try await database.write(.subject("ann")) { transaction throws(SQLError) in
                    try transaction.nextVersions(5, of: "ann")
                })
            #expect(given == [1, 2, 3, 4, 5, 6, 7, 8])
            #expect(try await Self.version(of: database) == 12)
        }
    }

    @Test("what is undone has raised no version, and what goes on after it raises the next", arguments: Engine.allCases)
    func undone(engine: Engine) async throws {
        try await withDatabase(engine, Self.schema) { database in
            for goesOn in [false, true] {
                try await database.write(.subject("ann")) { transaction throws(SQLError) in
                    _ = try transaction.nextVersion(of: "ann")
                    try transaction.undo()
                    if goesOn { _ = try transaction.nextVersion(of: "ann") }
                }
                #expect(try await Self.version(of: database) == (goesOn ? 1 : 0))
            }
        }
    }

    @Test("changes of a subject by many at once have a version each", arguments: Engine.allCases)
    func contended(engine: Engine) async throws {
        try await DatabasePlace.with(engine) { place in
            var place = place
            place.connections = 8
            try await place.with(Self.schema) { database in
                let versions = try await withThrowingTaskGroup(of: Int64.self) { group in
                    for _ in 0..<40 {
                        group.addTask {
                            try await database.write(.subject("ann")) { transaction throws(SQLError) in
                                try transaction.execute("UPDATE items SET word = NULL WHERE id = 1")
                                return try transaction.nextVersion(of: "ann")
                            }
                        }
                    }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                #expect(versions.sorted() == (1...40).map { $0 })
            }
        }
    }

    @Test("a transaction that says it has one statement is refused another", arguments: Engine.allCases)
    func second(engine: Engine) async throws {
        try await withDatabase(engine) { database in
            let read = await code { () throws(SQLError) in
                _ = try await database.read(.statement) { transaction throws(SQLError) in try Self.twice(transaction) }
            }
            let written = await code { () throws(SQLError) in
                _ = try await database.write(.statement) { transaction throws(SQLError) in try Self.twice(transaction) }
            }
            #expect([read, written] == [.misuse, .misuse])
        }
    }

    @Test("a read of one statement can't write", arguments: Engine.allCases)
    func readOnly(engine: Engine) async throws {
        try await withDatabase(engine) { database in
            let refused = await code { () throws(SQLError) in
                try await database.read(.statement) { transaction throws(SQLError) in
                    try transaction.execute("INSERT INTO items (id) VALUES (1)")
                }
            }
            let kept = try await database.itemNumbers()
            #expect(refused == .readOnly && kept.isEmpty)
        }
    }

    private static func twice(_ transaction: borrowing Transaction) throws(SQLError) -> Int {
        try transaction.rows("SELECT 1") { row throws(SQLError) in try row.integer(0) }.count
            + transaction.rows("SELECT 2") { row throws(SQLError) in try row.integer(0) }.count
    }
}
