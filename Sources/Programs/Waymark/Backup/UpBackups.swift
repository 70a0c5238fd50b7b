import Arguments
import Backups
import Supervisor
import Terminal

/// The backups that a `waymark up` makes of its data by itself.
struct UpBackups: Sendable {
    static let flags =
        BackupAccess.flags("backup", "make backups by itself, to", prefix: "backup-") + [
            Flag("backup-every", "TIME", "how often; 1d when not given"),
            Flag("backup-keep", "RULES", "which of them are kept; \(BackupCommand.defaultKeep) when not given"),
        ]

    private static let every = Duration.seconds(86_400)
    private static let rest = Duration.seconds(60)

    private let schedule: BackupSchedule

    /// Nil when none are wanted.
    init?(_ arguments: ParsedArguments, of folder: UpFolder) throws(UsageError) {
        guard arguments.has("backup") else {
            let left = Self.flags.map(\.name).filter { arguments.has($0) }
            guard left.isEmpty else { throw UsageError("--\(left[0]) needs --backup, which says where to") }
            return nil
        }
        let job = BackupJob(
            folder: folder.path, rate: nil, keep: try KeepRules(arguments, "backup-keep") ?? Self.keep,
            proofEvery: BackupSchedule.proofEvery, scratch: nil, trial: DataTrial(arguments))
        let every = try arguments.duration("backup-every") ?? Self.every
        schedule = BackupSchedule(
            job: job, access: try BackupAccess(arguments, "backup", prefix: "backup-"), every: every,
            rest: min(every, Self.rest))
    }

    private static let keep = KeepRules(BackupCommand.defaultKeep)

    /// Runs until it is cancelled.
    func run(_ console: Console) async {
        await schedule.run { turn in
            switch turn {
            case .success(let turn):
                guard !turn.isGood else { break }
                BackupView.lines(turn, at: schedule.access.place).forEach { console.remark($0.printable) }
            case .failure(let error): console.remark("No backup was made: \(error)".printable)
            }
        }
    }
}
