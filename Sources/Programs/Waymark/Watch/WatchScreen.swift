import Terminal
import Wire

/// Shows a watch: on a terminal lines that are redrawn, elsewhere a line for each change that a reader would see, and
/// for programs every message as JSON.
struct WatchScreen {
    private let session: Session
    private var block = RedrawnBlock()
    private var lastLine = ""
    private var isBroken = false

    init(_ session: Session) { self.session = session }

    /// A message came: `lines` is how it looks now, `line` the same in one line.
    mutating func show(_ message: some WireMessage, lines: (TextSink) -> [String], line: String) throws {
        isBroken = false
        if session.wantsJSON { session.console.print(try Schemas.json(message)) }
        draw(lines: lines, line: line)
    }

    /// The same for what is known before the first message; programs have that already.
    mutating func draw(lines: (TextSink) -> [String], line: String) {
        guard !session.wantsJSON else { return }
        let sink = session.console.output.measured
        if sink.isTerminal {
            sink.write(block.redrawing(lines(sink), on: sink))
        } else if line != lastLine {
            session.console.print(line)
            lastLine = line
        }
    }

    /// The connection broke. Shown once, however often the next attempts fail.
    mutating func broken(lines: (TextSink) -> [String]) {
        guard !isBroken else { return }
        isBroken = true
        let sink = session.console.output.measured
        let text = "The connection is lost; trying again."
        if session.wantsJSON || !sink.isTerminal {
            session.console.remark(text)
        } else {
            // Above all else, where there is room for it however many lines follow.
            let notice = Style.yellow.paint(DisplayWidth.cut(text, to: sink.width ?? .max), on: sink)
            sink.write(block.redrawing([notice, ""] + lines(sink), on: sink))
        }
    }
}
