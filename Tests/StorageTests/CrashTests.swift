import Glibc
import TestTools
import Testing

@testable import Storage

@Suite("P1 What was acknowledged survives the death of the process", .serialized)
struct CrashTests {
    private static let migrations = [
        Migration("0001 rows", "CREATE TABLE acknowledged (id TEXT PRIMARY KEY, payload BYTEA NOT NULL)")
    ]

    @Test("killed with -9 in the middle of many writes, again and again on one database")
    func killed() async throws {
        try await TemporaryFolder.with { directory in
            var noted: Set<String> = []
            for (round, limit) in [1, 40, 400, 1_500].enumerated() {
                let notes = "\(directory)/notes-\(round)"
                let status = try await run([helper(), "\(directory)/a.db", notes, "\(limit)"])
                #expect(status & 0x7f == SIGKILL, "the helper ended by itself with status \(status)")
                let lines = try await readLines(notes)
                #expect(lines.count >= limit)
                noted.formUnion(lines)
                let kept = try await rows("\(directory)/a.db")
                #expect(noted.subtracting(kept).isEmpty, "acknowledged rows are missing")
            }
        }
    }

    @Test("every commit is flushed to the disk before it is acknowledged, so a power cut takes nothing back")
    func flushed() async throws {
        try await TemporaryFolder.with { directory in
            let connection = try SQLiteConnection(
                path: "\(directory)/a.db", role: .writer, settings: DatabaseSettings())
            connection.hooks.allowsControl = true
            #expect(try connection.pragma("synchronous") == "2")
            #expect(try connection.pragma("journal_mode") == "wal")
            #expect(try connection.pragma("foreign_keys") == "1")
        }
    }

    private func rows(_ path: String) async throws -> Set<String> {
        let database = try await Database.open(path, migrations: Self.migrations)
        let ids = try await database.read { transaction throws(SQLError) in
            try transaction.rows("SELECT id FROM acknowledged") { row throws(SQLError) in try row.text(0) }
        }
        await database.close()
        return Set(ids)
    }

    /// Beside the tests' own program, where the build puts both.
    private func helper() throws -> String {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        let own = String(decoding: buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let slash = try #require(own.lastIndex(of: "/"))
        return own[...slash] + "StorageCrashHelper"
    }

    private func run(_ arguments: [String]) async throws -> Int32 {
        try await offThePool {
            var raw: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
            defer { for argument in raw { free(argument) } }
            var child = pid_t()
            guard posix_spawn(&child, arguments[0], nil, nil, &raw, environ) == 0 else { return -1 }
            var status: Int32 = 0
            while waitpid(child, &status, 0) == -1, errno == EINTR {}
            return status
        }
    }

    /// The whole lines of a file; the last may have been cut short by the kill.
    private func readLines(_ path: String) async throws -> [String] {
        let bytes = try await offThePool { (try? WholeFile.bytes(path)) ?? [] }
        let end = bytes.lastIndex(of: UInt8(ascii: "\n")) ?? 0
        return String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\n").map(String.init)
    }
}
