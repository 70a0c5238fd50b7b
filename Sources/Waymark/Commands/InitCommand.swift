/// `waymark init`: makes the deployment's key.
struct InitCommand: Command {
    static let syntax = CommandSyntax(
        words: ["init"], summary: "make the key that all services of a deployment share",
        flags: [Flag("key-file", "PATH", "the file; one that is there already is kept (WAYMARK_KEY_FILE)")],
        examples: ["init --key-file /etc/waymark/key"])

    private struct Answer: Encodable {
        let created: Bool
        let keyFile: String
    }

    private let file: KeyFile

    init(_ arguments: ParsedArguments) throws(UsageError) {
        guard let path = arguments.text("key-file") ?? arguments.environment["WAYMARK_KEY_FILE"], !path.isEmpty else {
            throw UsageError("--key-file is missing: the file to make")
        }
        file = KeyFile(path: path)
    }

    func run(_ session: Session) async throws -> ExitCode {
        let isNew = try file.makeIfMissing()
        if session.wantsJSON {
            session.console.print(try JSONText.of(Answer(created: isNew, keyFile: file.path)))
        } else {
            session.console.print(isNew ? "\(file.path) is made." : "\(file.path) is there already and is kept.")
        }
        return .success
    }
}
