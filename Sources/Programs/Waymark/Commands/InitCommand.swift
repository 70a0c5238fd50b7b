import Arguments
import Supervisor
import Terminal

/// `waymark init`: makes the deployment's secrets.
struct InitCommand: CommandBody {
    static let syntax = CommandSyntax(
        words: ["init"], summary: "make the key that all services of a deployment share",
        flags: [
            Flag("key-file", "PATH", "the file; one that is there already is kept (WAYMARK_KEY_FILE)"),
            Flag("token-file", "PATH", "also make a token that lets clients into the gateway, in this file"),
        ],
        examples: ["init --key-file /etc/waymark/key", "init --key-file ./key --token-file ./token"])

    private struct Answer: Encodable {
        let created: Bool
        let keyFile: String
        let tokenFile: String?
    }

    private let file: KeyFile
    private let token: KeyFile?

    init(_ arguments: ParsedArguments) throws(UsageError) {
        guard let path = arguments.text("key-file") ?? arguments.environment["WAYMARK_KEY_FILE"], !path.isEmpty else {
            throw UsageError("--key-file is missing: the file to make")
        }
        file = KeyFile(path: path)
        token = arguments.text("token-file").map { KeyFile(path: $0) }
    }

    func run(_ session: Session) async throws -> ExitCode {
        let isNew = try file.makeIfMissing()
        let isTokenNew = try token?.makeIfMissing() ?? false
        if session.wantsJSON {
            session.console.print(
                try OneLineJSON.of(Answer(created: isNew || isTokenNew, keyFile: file.path, tokenFile: token?.path)))
        } else {
            session.console.print(Self.sentence(file, isNew))
            if let token { session.console.print(Self.sentence(token, isTokenNew)) }
        }
        return .success
    }

    private static func sentence(_ file: KeyFile, _ isNew: Bool) -> String {
        isNew ? "\(file.path) is made." : "\(file.path) is there already and is kept."
    }
}
