import Glibc
import Storage
import Synchronization

/// Writes rows from many tasks, notes each one that was acknowledged in a file, and kills itself without warning in
/// the middle of it. Arguments: database, file of notes, number of acknowledgements before the end.
@main
struct CrashHelper {
    private static let migrations = [
        Migration("0001 rows", "CREATE TABLE acknowledged (id TEXT PRIMARY KEY, payload BYTEA NOT NULL)")
    ]

    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 4, let limit = Int(arguments[3]) else { exit(2) }
        let notes = try Notes(path: arguments[2], limit: limit)
        let database = try await Database.open(arguments[1], migrations: migrations)
        await withTaskGroup { group in
            for writer in 0..<16 {
                group.addTask { await write(as: writer, into: database, notes) }
            }
        }
        exit(3)  // Not reached: a write failed in every task.
    }

    private static func write(as writer: Int, into database: Database, _ notes: Notes) async {
        for number in 0... {
            let id = "\(getpid())-\(writer)-\(number)"
            let payload = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 300)
            do {
                _ = try await database.write { transaction throws(SQLError) in
                    try transaction.execute("INSERT INTO acknowledged (id, payload) VALUES (?1, ?2)", id, payload)
                }
            } catch {
                return
            }
            notes.add(id)
        }
    }
}

/// The acknowledged IDs, one a line. What was handed to the kernel outlives the process.
private final class Notes: Sendable {
    private let file: Int32
    private let limit: Int
    private let count = Atomic(0)

    init(path: String, limit: Int) throws {
        file = unsafe creat(path, 0o600)
        guard file >= 0 else { throw SQLError(.cannotOpen, "can't make the file of notes \(path)") }
        self.limit = limit
    }

    func add(_ id: String) {
        let line = Array("\(id)\n".utf8)
        let written = unsafe line.withUnsafeBytes { unsafe Glibc.write(file, $0.baseAddress, $0.count) }
        guard written == line.count else { exit(4) }
        if count.add(1, ordering: .relaxed).newValue == limit { kill(getpid(), SIGKILL) }
    }
}
