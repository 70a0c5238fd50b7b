import TestTools
import Testing

@testable import Storage

@Suite("Rows that are moved from one engine to the other", .timeLimit(.minutes(2)))
struct TableMoveTests {
    private static let things = Migration(
        "0.2.0 things",
        """
        CREATE TABLE things (
            kind TEXT NOT NULL, number BIGINT NOT NULL, size DOUBLE PRECISION, bytes BYTEA, is_good BOOLEAN NOT NULL,
            word TEXT, PRIMARY KEY (kind, number)
        );
        CREATE INDEX things_by_word ON things (word);
        CREATE TABLE last (id BIGINT PRIMARY KEY, version BIGINT NOT NULL);
        INSERT INTO last (id, version) VALUES (1, 0);
        """)
    /// What a later version may bring.
    private static let later = Migration(
        "0.9.0 later", "CREATE TABLE later (\"order\" BYTEA PRIMARY KEY, \"Group\" TEXT NOT NULL);")

    private static let migrations = [things, later]

    private struct Ends {
        let source: DatabasePlace
        let target: DatabasePlace

        static func with(_ from: Engine, _ body: (Ends) async throws -> Void) async throws {
            try await DatabasePlace.with(from) { source in
                try await DatabasePlace.with(from == .sqlite ? .postgres : .sqlite) { target in
                    let ends = Ends(source: source, target: target)
                    try await source.with(migrations) { try await fill($0) }
                    try await ends.prepare()
                    try await body(ends)
                }
            }
        }

        /// Makes the tables of the target, as its service's program does.
        func prepare() async throws {
            var settings = DatabaseSettings()
            settings.isMovedInto = true
            await (try await target.open(migrations, settings: settings)).close()
        }

        func side(_ place: DatabasePlace) throws -> MoveSide { try MoveSide(place.address, schema: place.schema) }

        func move(_ progress: @escaping (Int) -> Bool = { _ in true }) throws -> DatabaseMove {
            try DatabaseMove(from: side(source), to: side(target), progress: progress)
        }
    }

    private static func fill(_ database: Database) async throws {
        try await database.write { transaction throws(SQLError) in
            try transaction.execute("UPDATE last SET version = ?1", Int64.max)
            for (kind, word) in [("", ""), ("ä", "it's"), ("Z", "\u{1F600}\n\\N\t"), ("a", nil)] as [(String, String?)]
            {
                for number in [Int64.min, -1, 0, 1, .max] {
                    try transaction.execute(
                        """
                        INSERT INTO things (kind, number, size, bytes, is_good, word) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
                        """, kind, number, number == 0 ? nil : 0.1 * Double(number), [UInt8](kind.utf8) + [0, 255],
                        number > 0, word)
                }
            }
            for number in 0..<300 {
                try transaction.execute(
                    "INSERT INTO later (\"order\", \"Group\") VALUES (?1, ?2)",
                    [UInt8(number % 256), UInt8(number / 256)], String(repeating: "x", count: number * 100))
            }
        }
    }

    private static func rows(_ database: Database) async throws -> [String] {
        try await database.read { transaction throws(SQLError) in
            try transaction.rows("SELECT kind, number, size, bytes, is_good, word FROM things ORDER BY kind, number") {
                row throws(SQLError) in
                "\(try row.text(0)) \(try row.integer(1)) \(try row.optionalDouble(2) ?? -0.5) \(try row.blob(3))"
                    + " \(try row.bool(4)) \(try row.optionalText(5) ?? "none")"
            }
        }
    }

    @Test("are the same of every type, also of a table that a later migration brings", arguments: Engine.allCases)
    func moved(_ from: Engine) async throws {
        try await Ends.with(from) { ends in
            let move = try ends.move()
            try move.copy()
            #expect(try move.verify() == ["things": 20, "last": 1, "later": 300])
            try move.finish()
            let before = try await ends.source.with(Self.migrations) { try await Self.rows($0) }
            let after = try await ends.target.with(Self.migrations) { try await Self.rows($0) }
            #expect(before == after && before.count == 20)
        }
    }

    @Test("are not for a service until all were compared", arguments: Engine.allCases)
    func marked(_ from: Engine) async throws {
        try await Ends.with(from) { ends in
            #expect(try ends.side(ends.target).state() == .marked && ends.side(ends.source).state() == .whole)
            let refusal = await #expect(throws: SQLError.self) {
                await (try await ends.target.open(Self.migrations)).close()
            }
            #expect(refusal?.code == .migration && refusal?.message.contains("waymark migrate") == true)
            let move = try ends.move()
            try move.copy()
            try move.finish()
            #expect(try ends.side(ends.target).state() == .whole)
            // Nor is what a service has for a move.
            let taken = await #expect(throws: SQLError.self) { try await ends.prepare() }
            #expect(taken?.code == .migration)
        }
    }

    @Test("go on where a move has ended, and a changed table is done again", arguments: Engine.allCases)
    func resumed(_ from: Engine) async throws {
        try await Ends.with(from) { ends in
            var left = 290
            let cut = try ends.move { count in
                left -= count
                return left > 0
            }
            #expect(throws: SQLError.self) { try cut.copy() }
            try await ends.source.with(Self.migrations) { database in
                try await database.write { transaction throws(SQLError) in
                    try transaction.execute("UPDATE things SET word = 'other' WHERE number = 1")
                    try transaction.execute("DELETE FROM later WHERE \"order\" = ?1", [UInt8(0), UInt8(0)])
                }
            }
            let stale = try ends.move()
            #expect(throws: SQLError.self) { try stale.verify() }
            let move = try ends.move()
            try move.copy()
            #expect(try move.verify() == ["things": 20, "last": 1, "later": 299])
        }
    }

    @Test("that no other database can hold are named")
    func refused() async throws {
        try await Ends.with(.sqlite) { ends in
            try await ends.source.with(Self.migrations) { database in
                try await database.write { transaction throws(SQLError) in
                    try transaction.execute("INSERT INTO last (id, version) VALUES (2, 1)")
                    try transaction.execute("UPDATE things SET word = 'a' || ?1 || 'b'", "\u{0}")
                }
            }
            let move = try ends.move()
            let refusal = #expect(throws: SQLError.self) { try move.copy() }
            #expect(refusal?.message.contains("the column word of things holds a text with a NUL in it") == true)
        }
    }
}
