import EventLoops

/// Tells how far a long work is: one redrawn line on a terminal, else a line every few seconds.
struct ProgressLine {
    private let sink: TextSink
    private let now: () -> MonotonicTime
    private var nextTime: MonotonicTime
    private var isDrawn = false

    private var pause: Duration { sink.isTerminal ? .milliseconds(100) : .seconds(3) }

    init(_ sink: TextSink, now: @escaping () -> MonotonicTime = { .now }) {
        self.sink = sink
        self.now = now
        nextTime = now() + (sink.isTerminal ? .zero : .seconds(3))
    }

    /// Shows the text, unless the last one was shown just now.
    mutating func show(_ text: @autoclosure () -> String) {
        guard now() >= nextTime else { return }
        nextTime = now() + pause
        guard sink.isTerminal else { return sink.write(text() + "\n") }
        sink.write("\r\u{1B}[K" + DisplayWidth.cut(text(), to: max(1, (sink.width ?? 80) - 1)))
        isDrawn = true
    }

    /// Takes the line away, for what is written next.
    mutating func clear() {
        if isDrawn { sink.write("\r\u{1B}[K") }
        isDrawn = false
        if sink.isTerminal { nextTime = now() }
    }

    /// "████████░░░░" for a fraction of 0 to 1.
    static func bar(_ fraction: Double, width: Int = 24) -> String {
        let filled = Int((min(1, max(0, fraction.isNaN ? 0 : fraction)) * Double(width)).rounded())
        return String(repeating: "█", count: filled) + String(repeating: "░", count: width - filled)
    }
}
