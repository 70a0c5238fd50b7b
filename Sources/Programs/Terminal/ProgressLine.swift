package import EventLoops

/// Shows how far a long task is: one redrawn line on a terminal, else a line every few seconds.
package struct ProgressLine {
    private let sink: TextSink
    private let now: () -> MonotonicTime
    private var nextTime: MonotonicTime
    private var isDrawn = false

    private var pause: Duration { sink.isTerminal ? .milliseconds(100) : .seconds(3) }

    package init(_ sink: TextSink, now: @escaping () -> MonotonicTime = { .now }) {
        self.sink = sink
        self.now = now
        nextTime = now() + (sink.isTerminal ? .zero : .seconds(3))
    }

    /// Shows the text, unless the last one was shown just now.
    package mutating func show(_ text: @autoclosure () -> String) {
        guard now() >= nextTime else { return }
        nextTime = now() + pause
        guard sink.isTerminal else { return sink.write(text() + "\n") }
        sink.write("\r\u{1B}[K" + DisplayWidth.cut(text(), to: max(1, (sink.width ?? 80) - 1)))
        isDrawn = true
    }

    /// Takes the line away, for what is written next.
    package mutating func clear() {
        if isDrawn { sink.write("\r\u{1B}[K") }
        isDrawn = false
        if sink.isTerminal { nextTime = now() }
    }

    /// "████████░░░░" for a fraction of 0 to 1.
    package static func bar(_ fraction: Double, width: Int = 24) -> String {
        let filled = Int((min(1, max(0, fraction.isNaN ? 0 : fraction)) * Double(width)).rounded())
        return String(repeating: "█", count: filled) + String(repeating: "░", count: width - filled)
    }
}

/// Lines on a terminal that are written again in the same place. The cursor stays on the line below them, so that
/// whatever ends the program leaves the terminal as it should be.
package struct RedrawnBlock: Sendable {
    private var height = 0

    package init() {}

    /// The text that puts `lines` where the ones before were. No line may be wider than the terminal; those that it has
    /// no room for are left out.
    package mutating func redrawing(_ lines: [String], on sink: TextSink) -> String {
        let lines = lines.prefix(max(1, (sink.height ?? .max) - 1))
        // ECMA-48: cursor up, erase to the end of the line, erase to the end of the screen.
        let up = height > 0 ? "\u{1B}[\(height)A" : ""
        height = lines.count
        return up + lines.map { "\r\($0)\u{1B}[K\n" }.joined() + "\u{1B}[J"
    }
}
