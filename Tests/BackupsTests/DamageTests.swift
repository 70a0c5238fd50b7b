import EventLoops
import Files
import FoundationEssentials
import Storage
import TestSupport
import TestTools
import Testing

@testable import Backups

@Suite("P62 A damaged backup", .timeLimit(.minutes(5)))
struct DamageTests {
    @Test("is named by its proof, whichever bit of it was flipped, and is not brought back")
    func flipped() async throws {
        try await DataHouse.with { house in
            for id in 0..<500 { try await house.add(id, to: house.pins) }
            let backup = try await house.open { vault in try await house.backUp(vault) }
            var generator = SeededGenerator(seed: 7)
            let folder = "\(house.place)"
            for path in try SmallFile.names(under: folder) where DiskFile.isFile("\(folder)/\(path)") {
                guard path.hasPrefix("packs/") || path.hasPrefix("backups/") else { continue }
                let whole = try WholeFile.bytes("\(folder)/\(path)")
                var flipped = whole
                flipped[Int.random(in: whole.indices, using: &generator)] ^=
                    1 << UInt8.random(in: 0...7, using: &generator)
                try WholeFile.write(flipped, to: "\(folder)/\(path)")
                let what = await Self.damage(house, backup)
                let object = path.split(separator: "/").suffix(2).joined()
                #expect(what.contains(object), "\(path): \(what)")
                #expect(try !DiskFile.exists(house.folder.file("back")))
                try WholeFile.write(whole, to: "\(folder)/\(path)")
            }
            let proof = try await house.open { vault in try await house.prove(backup, vault) }
            #expect(proof.faults == [] && proof.rowCount > 500)
        }
    }

    /// What a proof and a restore say of it.
    private static func damage(_ house: DataHouse, _ backup: StoredBackup) async -> String {
        do {
            return try await house.open { vault in
                guard let stored = try await vault.all().first else { return try await vault.unreadable().joined() }
                let proof = try await house.prove(stored, vault)
                await #expect(throws: BackupError.self) { _ = try await house.restore(backup, vault) }
                return proof.faults.joined()
            }
        } catch {
            return "\(error)"
        }
    }

    @Test("names the files that a lost pack had parts of, and no other pack")
    func lost() async throws {
        try await DataHouse.with { house in
            let backup = try await house.open { vault in try await house.backUp(vault) }
            let listing = try await house.open { vault in try await vault.listing(of: backup) }
            let pack = try #require(listing.packs.first)
            let text = pack.name.text
            TemporaryFolder.remove("\(house.place)/packs/\(text.prefix(2))/\(text.dropFirst(2))")
            let proof = try await house.open { vault in try await house.prove(backup, vault) }
            #expect(proof.faults.count == 1 && proof.faults[0].contains(text))
            #expect(proof.faults[0].contains(DataHouse.blob(0)))
        }
    }

    @Test("is brought back without the files that are damaged when one says so, but never without a database")
    func left() async throws {
        try await DataHouse.with { house in
            let large = try house.blob(50, bytes: 4_300_000)
            let backup = try await house.open { vault in try await house.backUp(vault) }
            let listing = try await house.open { vault in try await vault.listing(of: backup) }
            func pack(of path: String) throws -> String {
                let file = try #require(listing.files.first { $0.path == path })
                let text = listing.packs[Int(try #require(file.chunks.last).pack)].name.text
                return "\(house.place)/packs/\(text.prefix(2))/\(text.dropFirst(2))"
            }
            let (picture, database) = (try pack(of: large), try pack(of: "pins/pins.db"))
            try #require(picture != database)
            TemporaryFolder.remove(picture)
            try await house.open { vault in
                let back = house.folder.file("back")
                let left = try await RestoreRun(vault).run(backup, to: back, leavesOutDamaged: true) { _ in }
                #expect(left.contains(large))
                #expect(try !DiskFile.exists("\(back)/\(large)"))
                #expect(try DiskFile.exists("\(back)/pins/pins.db"))
                TemporaryFolder.remove(database)
                await #expect(throws: BackupError.self) {
                    _ = try await RestoreRun(vault).run(
                        backup, to: house.folder.file("other"), leavesOutDamaged: true
                    ) { _ in }
                }
            }
        }
    }

    @Test("of rows that are not what was counted is seen by its proof")
    func counted() async throws {
        try await DataHouse.with { house in
            try await house.open { vault in
                let stored = try await house.backUp(vault)
                let backup = stored.backup
                let other = try await vault.put(
                    Backup(
                        waymarkBackup: Backup.form, number: 2, source: "1", made: 1, program: "1", fileCount: 1,
                        byteCount: backup.byteCount,
                        sentByteCount: 1, hasSecrets: false,
                        databases: ["pins/pins.db": try Self.facts], listing: backup.listing))
                let proof = try await house.prove(other, vault)
                #expect(proof.faults.contains { $0.contains("items has 0 rows; there were 3") })
            }
        }
    }

    private static var facts: SQLiteFacts {
        get throws {
            let json = #"{"migrations":["0.2.0 counter"],"rows":{"items":3,"waymark_migrations":1}}"#
            return try JSONDecoder().decode(SQLiteFacts.self, from: Data(json.utf8))
        }
    }

    @Test("or any other bytes are never taken for a listing or a pack, and never end the program")
    func bytes() throws {
        var generator = SeededGenerator(seed: 3)
        let chunks: [[UInt8]] = (0..<20).map { Array(repeating: UInt8($0), count: 100 * $0) }
        let read = try #require(Pack.chunks(of: Pack.bytes(of: chunks)))
        #expect(read.map { Array($0) } == chunks)
        #expect(Pack.chunks(of: Pack.bytes(of: []))?.isEmpty == true)
        var writer = ListingWriter()
        for number in [0, 1, 127, 128, 1 << 40, UInt64.max] { writer.add(number) }
        var reader = ListingReader(writer.bytes)
        #expect((0..<6).map { _ in reader.number() } == [0, 1, 127, 128, 1 << 40, UInt64.max] && reader.isAtEnd)
        for _ in 0..<2_000 {
            var bytes = Pack.bytes(of: chunks)
            for _ in 0..<3 {
                bytes[Int.random(in: bytes.indices, using: &generator)] = .random(in: 0...255, using: &generator)
            }
            _ = Pack.chunks(of: bytes)
            _ = Pack.chunks(of: Array(bytes.prefix(Int.random(in: 0...40, using: &generator))))
            let raw = (0..<Int.random(in: 0...60, using: &generator)).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            }
            _ = Listing(raw)
            _ = Listing(plain: raw)
        }
    }

    @Test("that leads out of the folder is none")
    func outside() {
        for path in ["../key", "/etc/passwd", "a/../../b", "a//b", "", "a/.", "a\0b"] {
            #expect(!DataFiles.isInside(path))
        }
        for path in ["key", "pins/pins.db", "a..b/c"] { #expect(DataFiles.isInside(path)) }
    }
}
