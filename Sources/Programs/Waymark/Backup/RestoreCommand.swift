import Arguments
import Backups
import Supervisor
import Synchronization
import Terminal

/// `waymark restore`: brings a backup back.
struct RestoreCommand: CommandBody {
    static let syntax = CommandSyntax(
        words: ["restore"], summary: "bring a backup back into a data folder that is empty or not there",
        flags: BackupAccess.flags("from", "where it is") + [
            Flag("data", "DIR", "the data folder to make; ~/.local/share/waymark when not given"), BackupChoice.flag,
            BackupChoice.timeFlag, BackupChoice.sourceFlag,
            Flag("without-damaged", "leave out files that are damaged, such as pictures; a database has to be whole"),
        ],
        examples: [
            "restore --from /mnt/disk/waymark", "restore --from /mnt/disk/waymark --at 2026-05-04 --data ./then",
        ])

    private let access: BackupAccess
    private let choice: BackupChoice
    private let folder: String
    private let leavesOutDamaged: Bool

    private struct Answer: Encodable {
        let backup: BackupView
        let data: String
        let leftOut: [String]
    }

    init(_ arguments: ParsedArguments) throws(UsageError) {
        access = try BackupAccess(arguments, "from")
        choice = try BackupChoice(arguments)
        folder = try UpFolder(arguments).path
        leavesOutDamaged = arguments.has("without-damaged")
    }

    func run(_ session: Session) async throws -> ExitCode {
        let line = Mutex(ProgressLine(session.console.messages))
        let (backup, leftOut) = try await access.with { vault, _ in
            let backup = try choice.pick(try await vault.all(), at: access.place)
            let leftOut = try await RestoreRun(vault).run(backup, to: folder, leavesOutDamaged: leavesOutDamaged) {
                done, all in
                line.withLock { $0.show("bringing it back  \(BackupView.bar(done, all))") }
            }
            return (backup, leftOut)
        }
        line.withLock { $0.clear() }
        // What is left out is a failure that says so.
        let code = leftOut.isEmpty ? ExitCode.success : .failure
        guard !session.wantsJSON else {
            session.console.print(
                try OneLineJSON.of(Answer(backup: BackupView(backup), data: folder, leftOut: leftOut)))
            return code
        }
        for path in leftOut { session.console.remark("left out, because it is damaged: \(path)".printable) }
        session.console.print(
            "\(folder) is as it was at \(BackupView.time(backup.backup.made)) UTC. waymark up --data"
                + " \(Invitation.quoted(folder)) starts it.".printable)
        if !backup.backup.hasSecrets {
            session.console.print(
                "The backup held no key, so the start makes a new one: enter the keys of networks again, and share links"
                    + " again.")
        }
        return code
    }
}
