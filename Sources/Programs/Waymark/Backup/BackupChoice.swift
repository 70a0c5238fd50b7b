import Arguments
import Backups
import Bytes
import Terminal
import Wire

/// Which backup a command is about.
struct BackupChoice: Sendable {
    static let flag = Flag("number", "N", "the backup of this number; the newest when not given")
    static let timeFlag = Flag("at", "TIME", "the last one that was made until then: 2026-05-04T12:30:00Z (UTC)")

    static let sourceFlag = Flag("source", "ID", "of the data folder that waymark backup list calls so")

    private let source: String?
    private let number: UInt32?
    private let time: Int64?

    init(_ arguments: ParsedArguments) throws(UsageError) {
        source = arguments.text("source")
        number = try arguments.count("number")
        time = try arguments.moment("at")?.unixMilliseconds.map { $0 / 1_000 }
    }

    /// Picks it from all, which are the newest first.
    func pick(_ all: [StoredBackup], at place: String) throws -> StoredBackup {
        let left = all.filter { backup in
            number.map { backup.backup.number == Int($0) } ?? true
                && source.map { backup.backup.source.isSame(as: $0) } ?? true
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
        guard number == nil, let log = try await LogRestore(vault).plan(at: time) else {
            return State(backup: try pick(all, at: place), log: nil)
        }
        // The log alone will do, where no backup was made before that.
        let hasEarlier = all.contains { backup in time.map { backup.backup.made <= $0 } ?? true }
        let backup = hasEarlier ? try pick(all, at: place) : nil
        return State(backup: backup, log: backup.map { log.after($0.backup.made) } ?? log)
    }
}
