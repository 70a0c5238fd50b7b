import Arguments
import Backups
import Synchronization
import Terminal

/// `waymark migrate`: moves all data from a data folder to PostgreSQL and a bucket, or back.
struct MigrateCommand: CommandBody {
    static let syntax = CommandSyntax(
        words: ["migrate"], summary: "move all data to PostgreSQL and a bucket, or back, while no service runs",
        flags: [
            Flag("from", "PLACE", "a data folder, or postgresql://USER@HOST:PORT/DATABASE"),
            Flag("to", "PLACE", "the other of these; what it has must be of this move"),
        ] + ServerFlags.flags + [DataTrial.flag],
        examples: [
            "migrate --from ~/.local/share/waymark --to postgresql://waymark@db/waymark"
                + " --blobs 's3://waymark?endpoint=http://s3:8333' --blob-credentials store.key",
            "migrate --from postgresql://waymark@db/waymark --blobs 's3://waymark?endpoint=http://s3:8333' --to ./waymark",
        ])

    private let move: ServerMove
    private let target: MoveHome

    init(_ arguments: ParsedArguments) throws(UsageError) {
        func place(_ name: String) throws(UsageError) -> MoveHome {
            guard let text = arguments.text(name), !text.isEmpty else {
                throw UsageError("--\(name) is missing: a data folder, or postgresql://USER@HOST:PORT/DATABASE")
            }
            return MoveHome(text)
        }
        target = try place("to")
        move = ServerMove(
            from: try place("from"), to: target, servers: try ServerFlags(arguments), DataTrial(arguments))
    }

    func run(_ session: Session) async throws -> ExitCode {
        let moved = try await move.run(session)
        let view = MovedView(moved)
        if session.wantsJSON {
            session.console.print(try OneLineJSON.of(view))
        } else {
            for text in view.lines(to: target) + ["What it was moved from is as it was: start nothing on it any more."]
            {
                session.console.print(text.printable)
            }
        }
        return .success
    }
}

/// Where records and pictures are that are not in a data folder.
struct ServerFlags: Sendable {
    static let flags = [
        Flag("database-password-file", "FILE", "the file whose first line is the password for the PostgreSQL server"),
        Flag(
            "blobs", "ADDRESS",
            "s3://BUCKET/PREFIX?endpoint=URL: photos/ and places/ below it have pictures and datasets; without it these"
                + " stay in the data folder"),
        Flag("blob-credentials", "FILE", "the id and the secret of the bucket's key, in two lines"),
    ]

    let passwordFile: String?
    let blobs: String?
    let credentials: String?
    let environment: [String: String]

    init(_ arguments: ParsedArguments) throws(UsageError) {
        passwordFile = arguments.text("database-password-file")
        blobs = arguments.text("blobs")
        credentials = arguments.text("blob-credentials")
        environment = arguments.environment
        if let blobs, !BackupStore.isBucket(blobs) {
            throw UsageError("--blobs is \(blobs), allowed: s3://BUCKET/PREFIX?endpoint=URL")
        }
    }

    /// What a service's program gets.
    func arguments(_ database: String?, _ blobs: String?) -> [String] {
        let given = [
            ("--database", database), ("--database-password-file", database.flatMap { _ in passwordFile }),
            ("--blobs", blobs), ("--blob-credentials", blobs.flatMap { _ in credentials }),
        ]
        return given.flatMap { flag, value in value.map { [flag, $0] } ?? [] }
    }
}
