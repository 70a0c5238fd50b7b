import FoundationEssentials
import Glibc
import TestTools
import Testing

@testable import Storage

@Suite("Faults of the disk and the file")
struct FaultTests {
    private static let blobs = Migration("0001 blobs", "CREATE TABLE blobs (id BIGINT PRIMARY KEY, bytes BYTEA)")
    private static let insert: StaticString = "INSERT INTO blobs (id, bytes) VALUES (?1, ?2)"

    @Test("a database at its allowed size refuses as full, keeps what it has, and takes writes again after a clean-up")
    func full() async throws {
        var settings = DatabaseSettings()
        settings.maximumBytes = 400_000
        try await withDatabase(.sqlite, [Self.blobs], settings: settings) { database in
            let codes = await fill(database, count: 200)
            #expect(Set(codes) == [nil, .full])
            try await expectUsable(database, rows: codes.filter { $0 == nil }.count)
        }
    }

    @Test("a full disk fails what doesn't fit and nothing else", .enabled(if: TinyDisk.isPossible))
    func fullDisk() async throws {
        try await TinyDisk.with(bytes: 4_000_000) { directory in
            // Even a DELETE needs room: somebody has to free some, as somebody removes this.
            try TinyDisk.fill("\(directory)/ballast", bytes: 2_800_000)
            let database = try await Database.open("\(directory)/a.db", migrations: [Self.blobs])
            let codes = await fill(database, count: 1_000)
            #expect(codes.contains(nil))
            #expect(codes.contains(.full))
            #expect(Set(codes).isSubset(of: [nil, .full, .io]))
            let kept = try await database.read { transaction throws(SQLError) in
                try transaction.first("SELECT count(*) FROM blobs") { row throws(SQLError) in try row.integer(0) }
            }
            #expect(kept == Int64(codes.filter { $0 == nil }.count))
            await database.close()
            try TinyDisk.empty("\(directory)/ballast")
            let again = try await Database.open("\(directory)/a.db", migrations: [Self.blobs])
            try await expectUsable(again, rows: codes.filter { $0 == nil }.count)
            await again.close()
        }
    }

    @Test("a file of something else is not a database")
    func notADatabase() async throws {
        try await TemporaryFolder.with { directory in
            try Data(repeating: 0x41, count: 10_000).write(to: URL(fileURLWithPath: "\(directory)/a.db"))
            #expect(await opening("\(directory)/a.db") == .notADatabase)
        }
    }

    @Test("a damaged file is corrupt, and says so in one error")
    func corrupt() async throws {
        try await TemporaryFolder.with { directory in
            let path = "\(directory)/a.db"
            let database = try await Database.open(path, migrations: [Self.blobs])
            _ = await fill(database, count: 100)
            await database.close()
            #expect(!FileManager.default.fileExists(atPath: "\(path)-wal"))
            var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
            for index in bytes.indices.dropFirst(4_096) { bytes[index] = 0xa5 }
            try bytes.write(to: URL(fileURLWithPath: path))
            #expect(await opening(path) == .corrupt)
        }
    }

    @Test("a path that is a directory, has no directory, or is an unknown kind of URL can't be opened")
    func badPaths() async throws {
        await TemporaryFolder.with { directory in
            for path in [
                directory, "\(directory)/none/a.db", "", ":memory:", "sqlite:", "mysql://host/db", "file:a.db",
                "a\0b",
            ] {
                #expect(await opening(path) == .cannotOpen, "\(path)")
            }
        }
    }

    @Test(
        "a directory where nothing can be written can't hold a database",
        .enabled(if: geteuid() != 0 || TinyDisk.isPossible))
    func readOnlyDirectory() async throws {
        guard geteuid() == 0 else {
            return await TemporaryFolder.with { directory in
                chmod(directory, 0o500)
                defer { chmod(directory, 0o700) }
                #expect(await opening("\(directory)/a.db") == .cannotOpen)
            }
        }
        // Permissions don't stop root, a disk mounted for reading does.
        try await TinyDisk.with(bytes: 1_000_000, options: UInt(MS_RDONLY)) { directory in
            #expect(await opening("\(directory)/a.db") == .cannotOpen)
        }
    }

    @Test("another holder's lock is waited for no longer than allowed, and no longer than the deadline")
    func locked() async throws {
        try await TemporaryFolder.with { directory in
            let holder = try await Database.open("\(directory)/a.db", migrations: [items])
            let hasty = try await open("\(directory)/a.db", lockTimeout: .milliseconds(20))
            let patient = try await open("\(directory)/a.db", lockTimeout: .seconds(600))
            let gate = Gate()
            let held = Task { await code { () throws(SQLError) in try await holder.holdWriter(gate) } }
            await gate.untilReached()
            #expect(await code { () throws(SQLError) in try await hasty.insert(1) } == .locked)
            let late = await code { () throws(SQLError) in
                try await patient.insert(2, deadline: .now + .milliseconds(20))
            }
            #expect(late == .deadlineExceeded)
            gate.open()
            #expect(await held.value == nil)
            try await hasty.insert(1)
            for database in [holder, hasty, patient] { await database.close() }
        }
    }

    private func open(_ path: String, lockTimeout: Duration) async throws -> Database {
        var settings = DatabaseSettings()
        settings.lockTimeout = lockTimeout
        return try await Database.open(path, migrations: [items], settings: settings)
    }

    @Test("a log that has grown is copied into the file while nobody waits, and starts over")
    func checkpoints() async throws {
        try await TemporaryFolder.with { directory in
            let path = "\(directory)/a.db"
            let database = try await Database.open(path, migrations: [Self.blobs])
            for id in 0..<100 { #expect(await put(database, id, bytes: 200_000) == nil) }
            let log = try FileManager.default.attributesOfItem(atPath: "\(path)-wal")[.size] as? UInt64
            #expect(try #require(log) < 10_000_000)
            #expect(database.metrics.failedCheckpoints == 0)
            await database.close()
        }
    }

    private func opening(_ path: String) async -> SQLError.Code? {
        await code { () throws(SQLError) in
            let database = try await Database.open(path, migrations: [Self.blobs])
            await database.close()
        }
    }

    private func put(_ database: Database, _ id: Int, bytes: Int) async -> SQLError.Code? {
        await code { () throws(SQLError) in
            _ = try await database.write { transaction throws(SQLError) in
                try transaction.execute(Self.insert, id, [UInt8](repeating: 1, count: bytes))
            }
        }
    }

    private func fill(_ database: Database, count: Int) async -> [SQLError.Code?] {
        await withTaskGroup { group in
            for id in 0..<count { group.addTask { await put(database, id, bytes: 9_000) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }

    private func expectUsable(_ database: Database, rows: Int) async throws {
        let removed = try await database.write { transaction throws(SQLError) in
            try transaction.change("DELETE FROM blobs")
        }
        #expect(removed == rows)
        #expect(await put(database, 1, bytes: 9_000) == nil)
    }
}
