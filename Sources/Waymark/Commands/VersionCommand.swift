import Arguments
import Terminal

/// `waymark version`: which version this is.
struct VersionCommand: Command {
    static let syntax = CommandSyntax(words: ["version"], summary: "name the version of this program")

    private struct Answer: Encodable {
        let version: String
    }

    init(_ arguments: ParsedArguments) throws(UsageError) {}

    func run(_ session: Session) async throws -> ExitCode {
        session.console.print(
            session.wantsJSON ? try OneLineJSON.of(Answer(version: Version.number)) : "waymark \(Version.number)")
        return .success
    }
}
