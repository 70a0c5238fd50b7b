import Arguments
import Bytes
import Backups
import EventLoops
import Glibc
import Synchronization
import Terminal
import Wire

/// `waymark backup verify`: proves a backup by bringing it back into a scratch folder, and the log by reading it.
struct BackupVerifyCommand: CommandBody {
    static let syntax = CommandSyntax(
        words: ["backup", "verify"],
        summary: "prove a backup and the log: read all, bring it back into a scratch folder and look at it",
        flags: BackupAccess.flags("from", "where it is") + [
            BackupChoice.flag, BackupChoice.timeFlag, BackupChoice.sourceFlag, DataTrial.flag,
            Flag(
                "scratch", "DIR", "the folder to use, with room for all of it; that of temporary files when not given"),
        ],
        examples: ["backup verify --from /mnt/disk/waymark", "backup verify --from /mnt/disk/waymark --source log"])

    private let access: BackupAccess
    private let choice: BackupChoice
    private let scratch: String
    private let trial: DataTrial

    init(_ arguments: ParsedArguments) throws(UsageError) {
        access = try BackupAccess(arguments, "from")
        choice = try BackupChoice(arguments)
        let temporary = arguments.environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
        scratch = arguments.text("scratch") ?? temporary
        trial = DataTrial(arguments)
    }

    func run(_ session: Session) async throws -> ExitCode {
        let line = Mutex(ProgressLine(session.console.messages))
        let proofs = try await access.with { vault, _ in
            let found = try await choice.proofs(in: vault, at: access.place)
            var proofs = Proofs()
            proofs.log = try await prove(found.log, in: vault, line)
            if let backup = found.backup {
                let proof = try await BackupProof.make(
                    of: backup, in: vault, scratch: scratch, program: Release.version, now: Int64(time(nil)),
                    open: trial.open
                ) { done, all in
                    line.withLock { $0.show("bringing it back  \(BackupView.bar(done, all))") }
                }
                proofs.backup = (backup, proof)
            }
            return proofs
        }
        line.withLock { $0.clear() }
        guard proofs.backup != nil || proofs.log != nil else {
            throw CommandFailure("there is nothing to prove at \(BackupStore.shown(access.place))")
        }
        if session.wantsJSON {
            session.console.print(try proofs.json)
        } else {
            proofs.lines.forEach { session.console.print($0.printable) }
        }
        return proofs.isGood ? .success : .failure
    }

    private func prove(
        _ source: String??, in vault: BackupVault, _ line: borrowing Mutex<ProgressLine>
    ) async throws -> LogProof? {
        guard let source else { return nil }
        return try await LogProof.make(in: vault, of: source, scratch: scratch) { folder in
            try await trial.open(folder, isWhole: false)
        } _: { _, _ in
        }
    }

    /// What came of it.
    private struct Proofs {
        var backup: (StoredBackup, BackupProof)?
        var log: LogProof?

        var isGood: Bool { backup?.1.isGood ?? true && log?.isGood ?? true }

        var lines: [String] {
            let pictures = (backup?.0.backup.picturesAt).map { [BackupView.pictures(at: $0)] } ?? []
            return (backup.map { BackupView.lines($0.1) } ?? []) + pictures + (log.map(LogView.lines) ?? [])
        }

        var json: String {
            get throws {
                let log = log.map { LogView($0) }
                guard let backup else { return try OneLineJSON.of(["log": log]) }
                return try OneLineJSON.of(BackupView(backup.0, proof: backup.1, log: log))
            }
        }
    }
}
