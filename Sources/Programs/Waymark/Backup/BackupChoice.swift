import Arguments
import Backups
import Bytes
import Terminal
import Wire

/// Which backup a command is about.
struct BackupChoice: Sendable {
    static let flag = Flag("number", "N", "the backup of this number; the newest when not given")
    static let timeFlag = Flag("at", "TIME", "the last one that was made until then: 2026-05-04T12:30:00Z (UTC)")

    static let sourceFlag = Flag(
        "source", "WHAT",
        "log or backup, for that alone; or the ID of a deployment's log, or of a data folder in waymark backup list")

    /// What is looked at.
    enum Source: Equatable {
        case all, log, backup
        case id(String)
    }

    let source: Source
    private let number: UInt32?
    private let time: Int64?

    init(_ arguments: ParsedArguments) throws(UsageError) {
        source =
            switch arguments.text("source") {
            case nil: .all
            case "log": .log
            case "backup": .backup
            case let id?: .id(id)
            }
        number = try arguments.count("number")
        time = try arguments.moment("at")?.unixMilliseconds.map { $0 / 1_000 }
        guard number == nil || source != .log else { throw UsageError("--number names a backup, and --source the log") }
    }

    private var id: String? {
        if case .id(let id) = source { id } else { nil }
    }

    /// Picks it from all, which are the newest first.
    func pick(_ all: [StoredBackup], at place: String) throws -> StoredBackup {
        try pick(all, at: place, of: id)
    }

    private func pick(_ all: [StoredBackup], at place: String, of id: String?) throws -> StoredBackup {
        let left = all.filter { backup in
            number.map { backup.backup.number == Int($0) } ?? true
                && id.map { backup.backup.source.isSame(as: $0) } ?? true
        }
        let sources = Set(left.map(\.backup.source)).sorted()
        guard sources.count < 2 else {
            throw CommandFailure(
                "there are backups of \(sources.count) data folders at \(BackupStore.shown(place)); --source names one:"
                    + " \(sources.joined(separator: ", ")) (waymark backup list)")
        }
        if let found = BackupVault.newest(left, at: time) { return found }
        guard let newest = all.first, let oldest = all.last else {
            throw CommandFailure("there is no backup at \(BackupStore.shown(place))")
        }
        throw CommandFailure(
            "there is no such backup; there are \(oldest.backup.number) to \(newest.backup.number), the first made at"
                + " \(BackupView.time(oldest.backup.made)) UTC (waymark backup list)")
    }

    /// What is brought back.
    struct State: Sendable {
        let backup: StoredBackup?
        let log: LogRestore.Plan?
        /// The moment, in milliseconds since 1970.
        var milliseconds: Int64 { log?.time ?? (backup?.backup.made ?? 0) * 1_000 }
    }

    /// A backup, and what was replicated after it until the moment that was asked for.
    func state(in vault: BackupVault, at place: String) async throws -> State {
        let all = try await vault.all()
        // An ID that no backup has is that of a log.
        let isOfLog = id.map { id in !all.contains { $0.backup.source.isSame(as: id) } } ?? false
        guard number == nil, source != .backup,
            let log = try await LogRestore(vault).plan(at: time, of: isOfLog ? id : nil)
        else {
            guard source != .log else {
                throw CommandFailure("there is no log of that time at \(BackupStore.shown(place))")
            }
            return State(backup: try pick(all, at: place), log: nil)
        }
        // The log alone will do, where no backup was made before that.
        let hasEarlier = all.contains { backup in time.map { backup.backup.made <= $0 } ?? true }
        let backup =
            hasEarlier && source != .log ? try pick(all, at: place, of: isOfLog ? nil : id) : nil
        return State(backup: backup, log: backup.map { log.after($0.backup.made) } ?? log)
    }

    /// Proves what it is about.
    func proofs(in vault: BackupVault, at place: String) async throws -> (backup: StoredBackup?, log: String??) {
        let all = try await vault.all()
        let isOfLog = id.map { id in !all.contains { $0.backup.source.isSame(as: id) } } ?? false
        let hasBackup = source != .log && !isOfLog && !(all.isEmpty && number == nil && time == nil)
        // What names one backup is about that one.
        let hasLog = source != .backup && number == nil && time == nil && (id == nil || isOfLog)
        return (hasBackup ? try pick(all, at: place) : nil, hasLog ? .some(id) : nil)
    }
}
