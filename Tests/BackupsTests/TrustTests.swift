import EventLoops
import Files
import Glibc
import Storage
import TestSupport
import TestTools
import Testing

@testable import Backups

@Suite("P62 A backup is not taken for whole", .timeLimit(.minutes(5)))
struct TrustTests {
    @Test("because the one before it was: packs that are lost or were found damaged are stored again")
    func lostPack() async throws {
        try await DataHouse.with { house in
            try await house.open { vault in
                let first = try await house.backUp(vault)
                let packs = try SmallFile.names(under: "\(house.place)/packs").filter {
                    DiskFile.isFile("\(house.place)/packs/\($0)")
                }
                for path in packs where try !path.contains(Self.listing(first)) {
                    TemporaryFolder.remove("\(house.place)/packs/\(path)")
                }
                let second = try await house.backUp(vault)
                #expect(try await house.prove(second, vault).faults == [])
                for pack in try await vault.listing(of: second).packs {
                    let path = "\(house.place)/packs/\(pack.name.text.prefix(2))/\(pack.name.text.dropFirst(2))"
                    var bytes = try WholeFile.bytes(path)
                    bytes[bytes.count / 2] ^= 1
                    try WholeFile.write(bytes, to: path)
                }
                #expect(try await !house.prove(second, vault).isGood)
                let third = try await house.backUp(vault)
                #expect(try await house.prove(third, vault).faults == [])
            }
        }
    }

    /// A part of the path of a backup's listing.
    private static func listing(_ backup: StoredBackup) throws -> String { String(backup.backup.listing.dropFirst(2)) }

    @Test("when a database, all pictures or a linked folder are missing: it is not made")
    func missing() async throws {
        try await DataHouse.with { house in
            try await house.open { vault in
                try await house.backUp(vault)
                try DiskFile.rename("\(house.data)/photos/blobs", to: "\(house.data)/elsewhere")
                let pictures = await #expect(throws: BackupError.self) { try await house.backUp(vault) }
                #expect(pictures?.description.contains("photos/blobs had pictures in the last backup") == true)
                symlink("\(house.data)/elsewhere", "\(house.data)/photos/blobs")
                let linked = await #expect(throws: BackupError.self) { try await house.backUp(vault) }
                #expect(linked?.description.contains("photos/blobs is a link") == true)
                TemporaryFolder.remove("\(house.data)/photos/blobs")
                try DiskFile.rename("\(house.data)/elsewhere", to: "\(house.data)/photos/blobs")
                for ending in ["", "-wal", "-shm"] {
                    try DiskFile.rename("\(house.data)/pins/pins.db\(ending)", to: house.folder.file("away\(ending)"))
                }
                let database = await #expect(throws: BackupError.self) { try await house.backUp(vault) }
                #expect(database?.description.contains("pins/pins.db was in the last backup") == true)
                #expect(try await vault.all().count == 1)
            }
        }
    }

    @Test("when a picture has other bytes than its name says: it is said, and read again once it was mended")
    func rotted() async throws {
        try await DataHouse.with { house in
            let path = "\(house.data)/\(DataHouse.blob(1))"
            let good = try WholeFile.bytes(path)
            var bad = good
            bad[5] ^= 1
            try WholeFile.write(bad, to: path)
            try await house.open { vault in
                func make() async throws -> BackupRun.Made {
                    try await BackupRun(vault, of: house.data, program: "1", now: { 1 }).run { _ in }
                }
                #expect(try await make().damaged == [DataHouse.blob(1)])
                try WholeFile.write(good, to: path)
                let mended = try await make()
                #expect(mended.damaged == [])
                let back = try await house.restore(mended.backup, vault)
                #expect(try WholeFile.bytes("\(back)/\(DataHouse.blob(1))") == good)
            }
        }
    }

    @Test("and a damaged file of one hides no other, nor ends a later one")
    func others() async throws {
        try await DataHouse.with { house in
            try await house.open { vault in
                try await house.backUp(vault)
                let second = try await house.backUp(vault)
                let name = second.name.text
                try WholeFile.write(
                    Array("{}".utf8), to: "\(house.place)/backups/\(name.prefix(2))/\(name.dropFirst(2))")
                #expect(try await vault.all().map(\.backup.number) == [1])
                try await house.backUp(vault)
                #expect(try await vault.all().map(\.backup.number) == [2, 1])
                // Nothing is removed that a backup may need which can't be read.
                let made = try await BackupRun(
                    vault, of: house.data, keep: KeepRules("1d"), program: "1", now: { 9 }
                ).run { _ in }
                #expect(made.problem != nil && made.removed == 0)
            }
        }
    }

    @Test("nor read when it says what can't be: paths that lead out, numbers without sense")
    func hostile() async throws {
        try await DataHouse.with { house in
            try await house.open { vault in
                let good = try await house.backUp(vault).backup
                for (number, bytes, path) in [
                    (2, -1, "pins/pins.db"), (.max, 1, "pins/pins.db"), (3, .max, "pins/pins.db"),
                    (4, 1, "../../live/pins.db"), (5, 1, "/etc/x.db"),
                ] {
                    let facts = good.databases["pins/pins.db"]
                    _ = try await vault.put(
                        Backup(
                            waymarkBackup: Backup.form, number: number, source: "x", made: 1, program: "1",
                            fileCount: 1,
                            byteCount: bytes, sentByteCount: 1, hasSecrets: false,
                            databases: facts.map { [path: $0] } ?? [:], listing: good.listing))
                }
                #expect(try await vault.all().map(\.backup.number) == [1])
            }
        }
    }

    @Test("of two first sealed ones that make a key each, both can be read")
    func twoKeys() async throws {
        try await DataHouse.with { house in
            let first = try await house.open(sealed: true) { vault in try await house.backUp(vault) }
            // The key that another one made in the same moment.
            let other = try BackupKey.make(DataHouse.passphrase)
            try await house.open(sealed: true) { vault in try await vault.store.keys.put(HeldBlob(other.file)) }
            try await house.open(sealed: true) { vault in
                let second = try await house.backUp(vault)
                #expect(try await vault.all().count == 2)
                #expect(try await house.prove(first, vault).faults == [])
                #expect(try await house.prove(second, vault).faults == [])
            }
        }
    }
}
