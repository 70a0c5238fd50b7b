import Arguments
import Backups
import Bytes
import Supervisor
import Synchronization
import Terminal

/// `waymark backup`: makes a backup, once or again and again.
struct BackupCommand: CommandBody {
    static let syntax = CommandSyntax(
        words: ["backup"], summary: "make a backup of all data while the services go on",
        flags: BackupAccess.flags("to", "where to") + [
            Flag("data", "DIR", "the data folder; ~/.local/share/waymark when not given"),
            Flag("keep", "RULES", "remove backups but the newest of so many days, weeks, months: \(defaultKeep)"),
            Flag("every", "TIME", "go on, and make one every so often: 1d"),
            Flag(
                "verify-every", "N",
                "prove each Nth backup by bringing it back into a scratch folder; 0 for none, which is so without --every;"
                    + " with it \(BackupSchedule.proofEvery) when not given"),
            Flag("scratch", "DIR", "the folder for that; in the data folder when not given"),
            Flag("rate", "MB", "megabytes of data a second at most"), DataTrial.flag,
        ],
        examples: [
            "backup --to /mnt/disk/waymark", "backup --to /mnt/disk/waymark --keep \(defaultKeep) --every 1d",
            "backup --to 's3://backups/waymark?endpoint=https://store.example.org' --passphrase-file ~/passphrase",
        ])

    static let defaultKeep = "7d,4w,12m"

    private let access: BackupAccess
    private let job: BackupJob
    private let every: Duration?

    init(_ arguments: ParsedArguments) throws(UsageError) {
        if let database = arguments.environment["WAYMARK_DATABASE"], database.begins(with: "postgres") {
            throw UsageError(
                "records are in PostgreSQL (WAYMARK_DATABASE), and are backed up by its own tools, such as pgBackRest or"
                    + " barman: see \"PostgreSQL\" in Docs/Operations.md. A backup of files alone would be half of one")
        }
        access = try BackupAccess(arguments, "to")
        every = try arguments.duration("every")
        let rate = try arguments.number("rate")
        if let rate, rate <= 0 { throw UsageError("--rate is \(rate), allowed is a number above 0") }
        let proofEvery = try arguments.count("verify-every", as: UInt32.self).map { Int($0) }
        job = BackupJob(
            folder: try UpFolder(arguments).path, rate: rate.map { Int(min($0, 1e9) * 1e6) },
            keep: try KeepRules(arguments), proofEvery: proofEvery ?? (every == nil ? 0 : BackupSchedule.proofEvery),
            scratch: arguments.text("scratch"), trial: DataTrial(arguments))
    }

    func run(_ session: Session) async throws -> ExitCode {
        guard let every else { return try await turn(session) }
        await BackupSchedule(job: job, access: access, every: every).run { turn in
            switch turn {
            case .success(let turn): show(turn, session)
            case .failure(let error): FailureText(error).lines.forEach(session.console.remark)
            }
        }
        return .success
    }

    private func turn(_ session: Session) async throws -> ExitCode {
        let line = Mutex(ProgressLine(session.console.messages))
        let turn = try await job.run(access) { progress in
            line.withLock { $0.show(BackupView.line(progress)) }
        }
        line.withLock { $0.clear() }
        show(turn, session)
        return turn.isGood ? .success : .failure
    }

    private func show(_ turn: BackupJob.Turn, _ session: Session) {
        let view = BackupView(turn.made.backup, removed: turn.made.removed, proof: turn.proof)
        if session.wantsJSON, let json = try? OneLineJSON.of(view) {
            session.console.print(json)
        } else {
            BackupView.lines(turn, at: access.place).forEach { session.console.print($0.printable) }
        }
    }
}

extension KeepRules {
    /// Those of a flag; nil without it.
    init?(_ arguments: ParsedArguments, _ flag: String = "keep") throws(UsageError) {
        guard let text = arguments.text(flag) else { return nil }
        guard let rules = KeepRules(text) else {
            throw UsageError("--\(flag) is \(text), allowed: \(KeepRules.allowed)")
        }
        self = rules
    }
}
