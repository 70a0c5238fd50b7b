import RPC
import Terminal
import Wire

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
