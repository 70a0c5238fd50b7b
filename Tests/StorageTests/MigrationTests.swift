import TestTools
import Testing

@testable import Storage

@Suite("Migrations")
struct MigrationTests {
    private static let one = Migration("0.1.0 one", "CREATE TABLE one (id BIGINT)")
    private static let two = Migration("0.2.0 two", "CREATE TABLE two (id BIGINT); CREATE INDEX two_ids ON two (id);")
    private static let three = Migration("0.3.0 three", "CREATE TABLE three (id BIGINT)")
    private static let twoEdited = Migration("0.2.0 two", "CREATE TABLE two (id TEXT)")

    @Test("pending ones are those that aren't applied, in their order")
    func pending() throws {
        let known = [Self.one, Self.two, Self.three]
        for count in 0...3 {
            let pending = try MigrationPlan.pending(known, applied: known.prefix(count).map(applied))
            #expect(pending.map(\.name) == known.dropFirst(count).map(\.name))
        }
    }

    @Test("a step may come behind later ones of another component")
    func between() throws {
        let pending = try MigrationPlan.pending([one, two, three], applied: [applied(three), applied(one)])
        #expect(pending.map(\.name) == ["0.2.0 two"])
    }

    @Test("a list without one that is applied, or with another text for it, is refused with a sentence")
    func refusals() {
        #expect(refusal([one], applied: [one, two]).contains("newer than this program"))
        #expect(refusal([one, twoEdited], applied: [one, two]).contains("\"0.2.0 two\" was changed"))
        #expect(refusal([one, three], applied: [one, two]).contains("its migration \"0.2.0 two\""))
        #expect(refusal([one, one], applied: []).contains("listed twice"))
    }

    @Test("one of before there were versions is refused with what to do")
    func old() {
        let old = AppliedMigration(name: "0001 pins", checksum: 7)
        let said = refusal([one], recorded: [old])
        #expect(said.contains("before 0.2.0") && said.contains("waymark pin export"))
    }

    @Test(
        "a fresh database goes through all, an older one through the rest, a current one through none",
        arguments: Engine.allCases)
    func upgrades(engine: Engine) async throws {
        try await DatabasePlace.with(engine) { place in
            for known in [[one], [one, two, three], [one, two, three]] {
                let database = try await place.open(known)
                #expect(try await names(database) == known.map(\.name))
                await database.close()
            }
        }
    }

    @Test("a database that doesn't fit is refused and left as it was", arguments: Engine.allCases)
    func refusedDatabase(engine: Engine) async throws {
        try await DatabasePlace.with(engine) { place in
            await (try place.open([one, two])).close()
            for known in [[one], [one, twoEdited], [one, three]] {
                let refused = await code { () throws(SQLError) in _ = try await place.open(known) }
                #expect(refused == .migration)
            }
            let database = try await place.open([one, two, three])
            #expect(try await names(database) == ["0.1.0 one", "0.2.0 two", "0.3.0 three"])
            await database.close()
        }
    }

    @Test("one that fails takes back all that came with it, and says its name", arguments: Engine.allCases)
    func failing(engine: Engine) async throws {
        let broken = Migration("0.2.0 broken", "CREATE TABLE fine (id BIGINT); CREATE TABLE fine (id BIGINT);")
        try await DatabasePlace.with(engine) { place in
            let error = await #expect(throws: SQLError.self) {
                _ = try await place.open([one, broken])
            }
            #expect(error?.message.hasPrefix("migration \"0.2.0 broken\" failed") == true)
            let database = try await place.open([one, two])
            #expect(try await names(database) == ["0.1.0 one", "0.2.0 two"])
            await database.close()
        }
    }

    @Test("one that ends the transaction itself is refused", arguments: Engine.allCases)
    func committing(engine: Engine) async throws {
        let committing = Migration("0.1.0 commits", "CREATE TABLE one (id BIGINT); COMMIT; SELEC")
        try await DatabasePlace.with(engine) { place in
            let refused = await code { () throws(SQLError) in
                _ = try await place.open([committing])
            }
            #expect(refused == .misuse)
        }
    }

    private var one: Migration { Self.one }
    private var two: Migration { Self.two }
    private var three: Migration { Self.three }
    private var twoEdited: Migration { Self.twoEdited }

    private func applied(_ migration: Migration) -> AppliedMigration {
        AppliedMigration(name: migration.name, checksum: migration.checksum)
    }

    private func refusal(_ known: [Migration], applied old: [Migration]) -> String {
        refusal(known, recorded: old.map(applied))
    }

    private func refusal(_ known: [Migration], recorded old: [AppliedMigration]) -> String {
        do throws(SQLError) {
            _ = try MigrationPlan.pending(known, applied: old)
            return "none"
        } catch {
            return error.code == .migration ? error.message : "another code"
        }
    }

    private func names(_ database: Database) async throws -> [String] {
        try await database.read { transaction throws(SQLError) in
            try transaction.rows("SELECT name FROM waymark_migrations ORDER BY position") { row throws(SQLError) in
                try row.text(0)
            }
        }
    }
}
