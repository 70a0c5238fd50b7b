import ProtoSchema

/// `waymark list`: the methods that `call` knows.
struct ListCommand: Command {
    static let syntax = CommandSyntax(words: ["list"], summary: "the methods that call knows")

    init(_ arguments: ParsedArguments) throws(UsageError) {}

    func run(_ session: Session) async throws -> ExitCode {
        if session.wantsJSON { session.console.print(try Self.json()) } else { Self.table(session) }
        return .success
    }

    private static func table(_ session: Session) {
        var table = Table(columns: [
            .init(title: "METHOD", style: .bold), .init(title: "REQUEST"), .init(title: "ANSWER"),
        ])
        table.rows = KnownMethod.all.map { method in
            let answer = name(method.schema.output)
            return [
                .init(method.shortPath), .init(name(method.schema.input)),
                .init(method.schema.isServerStreaming ? "stream of \(answer)" : answer),
            ]
        }
        table.lines(on: session.console.output).forEach(session.console.print)
    }

    /// Without its package.
    private static func name(_ fullName: String) -> String {
        fullName.split(separator: ".").last.map(String.init) ?? fullName
    }

    private static func json() throws -> String {
        struct Method: Encodable {
            let method: String
            let request: String
            let response: String
            let streams: Bool
        }
        let methods = KnownMethod.all.map {
            Method(
                method: $0.path, request: $0.schema.input, response: $0.schema.output,
                streams: $0.schema.isServerStreaming)
        }
        return try JSONText.of(methods)
    }
}
