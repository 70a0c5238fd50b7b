import Arguments
import Backups
import EventLoops
import Files
import FoundationEssentials
import Settings
import Storage
import Supervisor
import Terminal

/// `waymark upgrade --try`: what this version makes of the data, seen on a copy.
struct UpgradeCommand: CommandBody {
    static let syntax = CommandSyntax(
        words: ["upgrade"], summary: "open a copy of the data with this version, and say what an upgrade changes",
        flags: [
            Flag("try", "the only form: the data itself is upgraded by the start of its services"),
            Flag("data", "DIR", "the data folder; ~/.local/share/waymark when not given"), DataTrial.flag,
        ],
        examples: ["upgrade --try", "upgrade --try --data ./mine"])

    private let folder: String
    private let trial: DataTrial

    /// What happens to a database.
    private struct Change: Encodable {
        let database: String
        let migrations: [String]
        let rows: Int
        /// Tables that have another number of rows afterwards.
        let tables: [String]
    }

    private struct Answer: Encodable {
        let version: String
        let changes: [Change]
        let faults: [String]
    }

    init(_ arguments: ParsedArguments) throws(UsageError) {
        guard arguments.has("try") else {
            throw UsageError(
                "--try is missing: the data is upgraded when its services start; --try shows on a copy what that changes"
            )
        }
        folder = try UpFolder(arguments).path
        trial = DataTrial(arguments)
    }

    func run(_ session: Session) async throws -> ExitCode {
        let blocking = BlockingPool(threadCount: 1, name: "upgrade")
        defer { blocking.close() }
        let copy = try await blocking.run { [folder] in try DataCopy(of: folder) }
        let before = try await blocking.run { try copy.facts() }
        guard let faults = try await trial.open(copy.path, isWhole: false) else {
            throw CommandFailure("the services' programs are not here; --bin-dir DIR names the folder with them")
        }
        let after = faults.isEmpty ? try await blocking.run { try copy.facts() } : before
        let changes = before.keys.sorted().map { Self.change($0, before[$0], after[$0]) }
        if session.wantsJSON {
            let answer = Answer(version: Release.version, changes: changes, faults: faults)
            session.console.print(try OneLineJSON.of(answer))
        } else {
            (faults.isEmpty ? Self.lines(changes) : faults).forEach { session.console.print($0.printable) }
        }
        return faults.isEmpty ? .success : .failure
    }

    private static func change(_ path: String, _ before: SQLiteFacts?, _ after: SQLiteFacts?) -> Change {
        let (old, new) = (before?.rows ?? [:], after?.rows ?? [:])
        let tables = Set(old.keys).union(new.keys).subtracting(["waymark_migrations"]).sorted()
        return Change(
            database: path, migrations: (after?.migrations ?? []).filter { !(before?.migrations ?? []).contains($0) },
            rows: new.values.reduce(0, +),
            tables: tables.filter { old[$0] ?? 0 != new[$0] ?? 0 }.map {
                "\($0): \(old[$0] ?? 0) rows become \(new[$0] ?? 0)"
            })
    }

    private static func lines(_ changes: [Change]) -> [String] {
        changes.flatMap { change in
            let what = change.migrations.isEmpty ? "nothing changes" : change.migrations.joined(separator: ", ")
            return ["\(change.database): \(what); \(Quantity.count(change.rows, "row"))"]
                + change.tables.map { "  \($0)" }
        } + ["Waymark \(Release.version) opens this data. Make a backup before it does: waymark backup --to PLACE"]
    }
}

/// A copy of the databases of a data folder in a folder beside them, which goes away with this.
private final class DataCopy: Sendable {
    let path: String
    private let databases: [String]

    /// Copies them as they are at one instant. Blocks.
    init(of folder: String) throws {
        databases = try BackupRun.databases(in: folder)
        path = "\(folder)/backup/try"
        // Of one that was killed.
        try? FileManager.default.removeItem(atPath: path)
        for database in databases { try DiskFile.makeFolder("\(path)/\(DiskFile.folder(of: database))") }
        try SQLiteCopy.make(databases.map { ("\(folder)/\($0)", "\(path)/\($0)") })
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func facts() throws -> [String: SQLiteFacts] {
        try Dictionary(uniqueKeysWithValues: databases.map { ($0, try SQLiteFacts(of: "\(path)/\($0)")) })
    }
}
