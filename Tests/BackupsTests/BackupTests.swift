import EventLoops
import Files
import Storage
import Synchronization
import TestSupport
import TestTools
import Testing

@testable import Backups

@Suite("P62 Backups", .timeLimit(.minutes(5)))
struct BackupTests {
    static let places: [S3Server.Kind?] = S3Server.isInstalled ? [nil, .seaweedFS, .rclone] : [nil]

    /// A place of its own in a store.
    static func place(_ kind: S3Server.Kind?) throws -> String? {
        guard let kind else { return nil }
        return try S3Server.shared(kind).address(prefix: "backup\(UInt64.random(in: 0 ... .max))")
    }

    @Test("bring back all rows and files, sealed or not, from a folder and from stores", arguments: places)
    func whole(_ kind: S3Server.Kind?) async throws {
        for isSealed in [false, true] {
            try await DataHouse.with(place: try Self.place(kind)) { house in
                for id in 0..<200 { try await house.add(id, "row \(id)", to: house.pins) }
                try await house.add(7, to: house.photos)
                try house.blob(9, bytes: 5_000_000)
                let back = try await house.open(sealed: isSealed) { vault in
                    try await house.restore(try await house.backUp(vault), vault)
                }
                #expect(try await DataHouse.rows("\(back)/pins/pins.db") == Array(0..<200))
                #expect(try await DataHouse.rows("\(back)/photos/photos.db") == [7])
                let kept = try SmallFile.names(under: house.data).filter {
                    $0.hasPrefix("photos/blobs/") && DiskFile.isFile("\(house.data)/\($0)")
                }
                #expect(kept.count == 4)
                for path in kept + ["places/datasets/mine/dataset.json"] {
                    let (one, other) = (
                        try WholeFile.bytes("\(house.data)/\(path)"), try WholeFile.bytes("\(back)/\(path)")
                    )
                    #expect(one == other, "\(path)")
                }
                #expect(try DiskFile.exists("\(back)/key") == isSealed)
                for path in ["logs/pins.log", "gateway/pictures/1", "pins/lock", "backup/lock"] {
                    #expect(try !DiskFile.exists("\(back)/\(path)"), "\(path)")
                }
            }
        }
    }

    @Test("store again only what has changed: nothing, a page, a file")
    func increments() async throws {
        try await DataHouse.with { house in
            for id in 0..<4_000 { try await house.add(id, String(repeating: "x", count: 400), to: house.pins) }
            try await house.open { vault in
                let first = try await house.backUp(vault).backup
                let same = try await house.backUp(vault).backup
                try await house.add(4_000, to: house.pins)
                let page = try await house.backUp(vault).backup
                try house.blob(5, bytes: 40_000)
                let file = try await house.backUp(vault).backup
                #expect(first.byteCount > 1_600_000)
                // Of a copied database the first page differs each time.
                #expect(same.sentByteCount < 40_000)
                #expect(page.sentByteCount < 60_000)
                #expect(file.sentByteCount < 60_000 && file.fileCount == first.fileCount + 1)
                #expect([first, same, page, file].map(\.number) == [1, 2, 3, 4])
            }
        }
    }

    @Test("store again what is left of packs that are hardly used, so that these can go")
    func worn() async throws {
        try await DataHouse.with { house in
            for id in 0..<3_000 { try await house.add(id, String(repeating: "\(id)", count: 100), to: house.pins) }
            try await house.open { vault in
                let first = try await vault.listing(of: try await house.backUp(vault))
                // Three of four pages change.
                try await house.pins.write { transaction throws(SQLError) in
                    try transaction.execute("UPDATE items SET text = 'changed' || text WHERE id < 2250")
                }
                try await house.backUp(vault)
                let third = try await house.backUp(vault)
                let packs = try await vault.listing(of: third).packs.map(\.name)
                #expect(!packs.contains { name in first.packs.contains { $0.name == name && $0.chunks > 100 } })
                let proof = try await house.prove(third, vault)
                #expect(proof.faults == [])
            }
        }
    }

    @Test("begin again when a file went away while it was read: a row of the copies may name it")
    func vanished() async throws {
        try await DataHouse.with { house in
            let rounds = Atomic(0)
            let backup = try await house.open { vault in
                try await house.backUp(vault) { progress in
                    guard case .copying(let done, let all) = progress, done == all else { return }
                    // Between the list of files and their reading.
                    if rounds.add(1, ordering: .relaxed).oldValue == 0 {
                        TemporaryFolder.remove("\(house.data)/\(DataHouse.blob(1))")
                    }
                }
            }
            #expect(rounds.load(ordering: .relaxed) == 2)
            let listed = try await house.open { vault in try await vault.listing(of: backup).files.map(\.path) }
            #expect(!listed.contains(DataHouse.blob(1)) && listed.contains(DataHouse.blob(2)))
        }
    }

    @Test("hold a dataset as it is when it was replaced while they were made")
    func dataset() async throws {
        try await DataHouse.with { house in
            let rounds = Atomic(0)
            let back = try await house.open { vault in
                let backup = try await house.backUp(vault) { progress in
                    guard case .storing(let done, let all) = progress, done == all else { return }
                    guard rounds.add(1, ordering: .relaxed).oldValue == 0 else { return }
                    for (name, text) in [("2.snapshot", "places"), ("dataset.json", #"{"generation":2}"#)] {
                        try? WholeFile.write(Array(text.utf8), to: "\(house.data)/places/datasets/mine/\(name)")
                    }
                }
                return try await house.restore(backup, vault)
            }
            #expect(try WholeFile.text("\(back)/places/datasets/mine/2.snapshot") == "places")
            #expect(try WholeFile.text("\(back)/places/datasets/mine/dataset.json") == #"{"generation":2}"#)
        }
    }

    @Test("of one folder are made by one at a time, and the other is told to wait")
    func oneAtATime() async throws {
        try await DataHouse.with { house in
            let scratch = try ScratchFolder(in: house.data)
            let error = await #expect(throws: BackupError.self) {
                try await house.open { vault in try await house.backUp(vault) }
            }
            #expect(error?.description.contains("another waymark backup") == true)
            withExtendedLifetime(scratch) {}
        }
    }

    @Test("of a folder without data say so, and what to name")
    func empty() async throws {
        try await DataHouse.with { house in
            let error = await #expect(throws: BackupError.self) {
                try await house.open { vault in
                    try await BackupRun(vault, of: house.folder.file("none"), program: "1", now: { 1 }).run { _ in }
                }
            }
            #expect(error?.description.contains("--data names the folder") == true)
        }
    }
}
