import Arguments
import EventLoops
import Glibc
import Supervisor
import Terminal

/// `waymark login-link`: another link for the `up` that is running.
struct LoginLinkCommand: CommandBody {
    static let syntax = CommandSyntax(
        words: ["login-link"], summary: "make a link that logs one more phone in to a running waymark up --host",
        flags: [Flag("data", "DIR", "the folder of waymark up; ~/.local/share/waymark when not given")],
        examples: ["login-link", "login-link --data ./mine"])

    private struct Answer: Encodable {
        let link: String
    }

    private let folder: UpFolder

    init(_ arguments: ParsedArguments) throws(UsageError) {
        folder = try UpFolder(arguments)
    }

    func run(_ session: Session) async throws -> ExitCode {
        let pool = BlockingPool(threadCount: 1, name: "link")
        let link = try await pool.run { [folder] in
            try UpEntrance(of: folder).makeLink(in: folder, at: Self.now)
        }
        pool.close()
        if session.wantsJSON {
            session.console.print(try OneLineJSON.of(Answer(link: link)))
        } else {
            LoginLinkView(link: link, sink: session.console.output).lines.forEach(session.console.print)
        }
        return .success
    }

    /// Milliseconds since 1970.
    static var now: Int64 { Int64(time(nil)) * 1000 }
}

extension UpFolder {
    /// The one that `--data` names, or else the user's own.
    init(_ arguments: ParsedArguments) throws(UsageError) {
        guard let path = arguments.text("data") ?? Self.standard(arguments.environment), !path.isEmpty else {
            throw UsageError("--data is missing: the folder of waymark up; there is no HOME to look under")
        }
        self.init(path: path)
    }
}
