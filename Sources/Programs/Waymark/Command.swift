import Arguments
import Terminal
import Wire

/// One of the things that `waymark` does.
protocol Command: Sendable {
    var syntax: CommandSyntax { get }

    /// Reads the arguments, then does it. The result is the process's exit code.
    func run(_ arguments: ParsedArguments, _ session: Session) async throws -> ExitCode
}

/// A command that is more than one call: a type whose properties are its arguments.
protocol CommandBody: Sendable {
    static var syntax: CommandSyntax { get }

    /// Reads the arguments; nothing is done yet.
    init(_ arguments: ParsedArguments) throws(UsageError)

    /// Does it. The result is the process's exit code.
    func run(_ session: Session) async throws -> ExitCode
}

/// Such a type as a command.
struct BodyCommand<Body: CommandBody>: Command {
    init(_ body: Body.Type) {}

    var syntax: CommandSyntax { Body.syntax }

    func run(_ arguments: ParsedArguments, _ session: Session) async throws -> ExitCode {
        try await Body(arguments).run(session)
    }
}

/// What a command runs with.
struct Session: Sendable {
    let console: Console
    let environment: [String: String]
    /// Whether the answer is for a program.
    let wantsJSON: Bool

    /// Writes an answer: its JSON for programs, else the lines of `text`.
    func answer<Message: WireMessage>(_ message: Message, text: (Message) -> [String]) throws {
        guard !wantsJSON else { return console.print(try json(message)) }
        text(message).forEach(console.print)
    }

    /// Indented where a person reads it, on one line for programs.
    private func json<Message: WireMessage>(_ message: Message) throws -> String {
        try Schemas.json(
            packed: message.packedBytes(), of: Message.protoName, pretty: console.output.isTerminal)
    }
}
