import PinContracts
import Storage
import TestTools
import Testing

@testable import PinService

@Suite("P63 Pins that an earlier program named")
struct RenamedPinTests {
    private static let migration = "0.3.0 names of pins by what they lie in"

    @Test("are named again, once, unless a person chose the name")
    func renamed() async throws {
        let places = ScriptedPlaces()
        try await TemporaryFolder.with { folder in
            places.set { $0.name = "Vantaa" }
            let (ids, chosen) = try await PinWorld.with(folder: folder, places, ScriptedAlbums()) { world in
                var ids: [String] = []
                for step in 0..<3 {
                    let pin = try await world.create(CreatePinRequest(60 + Double(step), 25))
                    ids.append(try await world.untilPin(pin.id) { $0.name == "Vantaa" }.id)
                }
                let chosen = try await world.create(CreatePinRequest(60, 26, name: "Mine"))
                try await world.untilPin(chosen.id) { $0.state == .ready }
                try await world.untilIdle()
                return (ids, chosen.id)
            }
            try await Self.makeEarlier(folder)
            places.set { $0.name = "Long Street 7, Vantaa" }
            try await PinWorld.with(folder: folder, places, ScriptedAlbums()) { world in
                for id in ids { try await world.untilPin(id) { $0.name == "Long Street 7, Vantaa" } }
                #expect(try await world.pin(chosen).name == "Mine")
                try await world.untilIdle()
            }
            places.set { $0.name = "Elsewhere" }
            try await PinWorld.with(folder: folder, places, ScriptedAlbums()) { world in
                try await world.untilIdle()
                #expect(try await world.pin(ids[0]).name == "Long Street 7, Vantaa")
            }
        }
    }

    @Test("and again when other areas are there, once for each import")
    func renamedByAreas() async throws {
        let places = ScriptedPlaces()
        try await TemporaryFolder.with { folder in
            places.set { $0.name = "near Vantaa" }
            let (id, chosen) = try await PinWorld.with(folder: folder, places, ScriptedAlbums()) { world in
                while try await Self.edition(world) == "" { await Task.yield() }
                let pin = try await world.create(CreatePinRequest(60, 25))
                try await world.untilPin(pin.id) { $0.name == "near Vantaa" }
                let chosen = try await world.create(CreatePinRequest(60, 26, name: "Mine"))
                try await world.untilPin(chosen.id) { $0.state == .ready }
                try await world.untilIdle()
                return (pin.id, chosen.id)
            }
            places.set { ($0.name, $0.areasImportedSeconds) = ("Tikkurila, Vantaa", 1_700_000_000) }
            try await PinWorld.with(folder: folder, places, ScriptedAlbums()) { world in
                try await world.untilPin(id) { $0.name == "Tikkurila, Vantaa" }
                #expect(try await world.pin(chosen).name == "Mine")
                try await world.untilIdle()
            }
            places.set { $0.name = "Elsewhere" }
            try await PinWorld.with(folder: folder, places, ScriptedAlbums()) { world in
                try await world.untilIdle()
                #expect(try await world.pin(id).name == "Tikkurila, Vantaa")
            }
        }
    }

    private static func edition(_ world: PinWorld) async throws -> String {
        try await world.store.database.read { transaction throws(SQLError) in
            try transaction.first("SELECT edition FROM named_by") { row throws(SQLError) in try row.text(0) } ?? ""
        }
    }

    /// Has the database as it was before the migration.
    private static func makeEarlier(_ folder: String) async throws {
        let old = try await PinStore.open("\(folder)/pins.db")
        try await old.database.write { transaction throws(SQLError) in
            let last = try transaction.first("SELECT max(position) FROM waymark_migrations") { row throws(SQLError) in
                try row.integer(0)
            }
            let own = try transaction.first(
                "SELECT position FROM waymark_migrations WHERE name = ?1", migration
            ) { row throws(SQLError) in try row.integer(0) }
            guard let last, let own else { return }
            try transaction.execute("DELETE FROM waymark_migrations WHERE name = ?1", migration)
            try transaction.execute("UPDATE waymark_migrations SET position = ?1 WHERE position = ?2", own, last)
        }
        await old.close()
    }
}
