import Arguments
import Bytes
import Backups
import EventLoops
import Glibc
import Synchronization
import Terminal
import Wire

/// `waymark backup verify`: proves a backup by bringing it back into a scratch folder.
struct BackupVerifyCommand: CommandBody {
    static let syntax = CommandSyntax(
        words: ["backup", "verify"],
        summary: "prove a backup: bring it back into a scratch folder and look at all of it",
        flags: BackupAccess.flags("from", "where it is") + [
            BackupChoice.flag, BackupChoice.timeFlag, BackupChoice.sourceFlag, DataTrial.flag,
            Flag(
                "scratch", "DIR", "the folder to use, with room for all of it; that of temporary files when not given"),
        ],
        examples: ["backup verify --from /mnt/disk/waymark"])

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
        let (backup, proof) = try await access.with { vault, _ in
            let backup = try choice.pick(try await vault.all(), at: access.place)
            let proof = try await BackupProof.make(
                of: backup, in: vault, scratch: scratch, program: Release.version, now: Int64(time(nil)),
                open: trial.open
            ) { done, all in
                line.withLock { $0.show("bringing it back  \(BackupView.bar(done, all))") }
            }
            return (backup, proof)
        }
        line.withLock { $0.clear() }
        if session.wantsJSON {
            session.console.print(try OneLineJSON.of(BackupView(backup, proof: proof)))
        } else {
            BackupView.lines(proof).forEach { session.console.print($0.printable) }
        }
        return proof.isGood ? .success : .failure
    }
}
