import RPC
import Wire

/// What a command runs with.
struct Session: Sendable {
    let console: Console
    let environment: [String: String]
    /// Whether the answer is for a program.
    let wantsJSON: Bool

    /// Writes an answer: its JSON for programs, else the lines of `text`.
    func answer<Message: WireMessage>(_ message: Message, text: (Message) -> [String]) throws {
        guard !wantsJSON else { return console.print(try Schemas.json(message)) }
        text(message).forEach(console.print)
    }
}
