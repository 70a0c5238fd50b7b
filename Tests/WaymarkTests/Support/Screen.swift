import Synchronization

@testable import Terminal
@testable import Waymark

/// Keeps what a command writes.
final class Screen: Sendable {
    private let texts = Mutex((output: "", messages: ""))

    var output: String { texts.withLock { $0.output } }
    var messages: String { texts.withLock { $0.messages } }

    /// The answer's lines.
    var lines: [String] { output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init) }

    func console(isTerminal: Bool = false, width: Int? = nil) -> Console {
        Console(
            output: TextSink(isTerminal: isTerminal, hasColours: isTerminal, width: width) { text in
                self.texts.withLock { $0.output += text }
            },
            messages: TextSink(isTerminal: isTerminal, hasColours: isTerminal, width: width) { text in
                self.texts.withLock { $0.messages += text }
            })
    }
}

extension TextSink {
    /// A sink for layouts that are looked at without being written.
    static func paper(width: Int? = nil, hasColours: Bool = false) -> TextSink {
        TextSink(isTerminal: width != nil, hasColours: hasColours, width: width) { _ in }
    }
}
