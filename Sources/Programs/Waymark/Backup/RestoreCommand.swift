import Arguments
import Backups
import Supervisor
import Synchronization
import Terminal

/// `waymark restore`: brings a backup back.
struct RestoreCommand: CommandBody {
    static let syntax = CommandSyntax(
        words: ["restore"],
        summary:
            "bring a backup back, and what was replicated since, into a data folder that is empty or not there, or to"
            + " PostgreSQL and a bucket",
        flags: BackupAccess.flags("from", "where it is") + [
            Flag("data", "DIR", "the data folder to make; ~/.local/share/waymark when not given"), BackupChoice.flag,
            BackupChoice.timeFlag, BackupChoice.sourceFlag,
            Flag(
                "database", "ADDRESS",
                "postgresql://USER@HOST:PORT/DATABASE to bring records to, as waymark migrate does"),
        ] + ServerFlags.flags + [
            Flag("scratch", "DIR", "a folder with room for all of it on its way there, or --data"), DataTrial.flag,
            Flag("without-damaged", "leave out files that are damaged, such as pictures; a database has to be whole"),
        ],
        examples: [
            "restore --from /mnt/disk/waymark", "restore --from /mnt/disk/waymark --at 2026-05-04 --data ./then",
            "restore --from /mnt/disk/waymark --database postgresql://waymark@db/waymark"
                + " --blobs 's3://waymark?endpoint=http://s3:8333' --blob-credentials store.key --scratch /tmp",
        ])

    private let access: BackupAccess
    private let choice: BackupChoice
    private let folder: String
    private let servers: ServerTarget?
    private let leavesOutDamaged: Bool

    private struct Answer: Encodable {
        let backup: BackupView?
        /// The moment that it is as it was at: seconds since 1970.
        let moment: Double
        /// Whether all services had stopped in good order then: nothing came later.
        let isEnd: Bool
        let data: String?
        let leftOut: [String]
        let moved: MovedView?
        /// What a person has to know of it, in sentences.
        let remarks: [String]
    }

    init(_ arguments: ParsedArguments) throws(UsageError) {
        access = try BackupAccess(arguments, "from")
        choice = try BackupChoice(arguments)
        servers = try ServerTarget(arguments)
        if let servers { folder = servers.folder } else { folder = try UpFolder(arguments).path }
        leavesOutDamaged = arguments.has("without-damaged")
    }

    func run(_ session: Session) async throws -> ExitCode {
        let line = Mutex(ProgressLine(session.console.messages))
        if let servers { try await servers.clear() }
        let (found, leftOut) = try await access.with(isUrgent: true) { vault, _ in
            let found = try await choice.state(in: vault, at: access.place)
            let leftOut = try await RestoreRun(vault).run(
                found.backup, log: found.log, to: folder, leavesOutDamaged: leavesOutDamaged
            ) { progress in
                line.withLock { $0.show(BackupView.line(progress)) }
            }
            return (found, leftOut)
        }
        line.withLock { $0.clear() }
        let bucket = found.backup?.backup.picturesAt
        let remarks = (found.log?.remarks ?? []) + (bucket.map { [Self.pictures(at: $0)] } ?? [])
        for remark in remarks { session.console.remark(remark.printable) }
        let moved = try await servers?.take(session)
        // What is left out is a failure that says so.
        let code = leftOut.isEmpty ? ExitCode.success : .failure
        guard !session.wantsJSON else {
            let answer = Answer(
                backup: found.backup.map { BackupView($0) }, moment: Double(found.milliseconds) / 1_000,
                isEnd: found.log?.isEnd ?? false,
                data: servers == nil ? folder : nil, leftOut: leftOut, moved: moved,
                remarks: remarks)
            session.console.print(try OneLineJSON.of(answer))
            return code
        }
        for path in leftOut { session.console.remark("left out, because it is damaged: \(path)".printable) }
        let place = servers == nil ? folder : "What the services have there"
        let blobs = bucket == nil ? "" : " --blobs …"
        let start = servers == nil ? " waymark up --data \(Invitation.quoted(folder))\(blobs) starts it." : ""
        session.console.print(
            "\(place) is as it was at \(BackupView.time(found.milliseconds / 1_000)) UTC.\(start)".printable)
        for text in moved?.lines(to: .database("")) ?? [] { session.console.print(text.printable) }
        let hasSecrets = found.backup?.backup.hasSecrets ?? false
        if let servers, hasSecrets {
            session.console.print(
                "The key is \(servers.key), with the tokens beside it: give it to the services.".printable)
        }
        if !hasSecrets {
            session.console.print(
                "No key was brought back, so the start makes a new one: enter the keys of networks again, and share links"
                    + " again.")
        }
        return code
    }

    private static func pictures(at place: String) -> String {
        "Pictures and datasets were at \(place), and are in no backup: --blobs has to name that."
    }
}
