import Arguments
import Glibc
import Terminal

/// The question before something goes for good: its name has to be typed.
struct Confirmation {
    let name: String
    /// What it is: "dataset".
    let kind: String
    /// Reads what is typed; nil when nobody is there.
    var answer: @Sendable () -> String? = { isatty(STDIN_FILENO) == 1 ? readLine() : nil }

    /// Returns when the name was typed. Throws when another one was, or when nobody can be asked.
    func ask(_ session: Session) throws {
        let isAsked = session.console.messages.isTerminal && !session.wantsJSON
        if isAsked {
            session.console.messages.write(
                "This removes the \(kind) \(name.printable) and all that is in it. Type its name to go on: ")
        }
        guard isAsked, let typed = answer() else {
            throw UsageError("--yes is needed to remove the \(kind) \(name) when nobody can be asked")
        }
        guard typed.trimmed == name else { throw CommandFailure("nothing was removed: that is not its name") }
    }
}

extension String {
    fileprivate var trimmed: String {
        String(drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
    }
}
