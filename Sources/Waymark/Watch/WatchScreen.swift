import Wire

/// Shows a watch: on a terminal lines that are redrawn, elsewhere a line for each change that a reader would see, and
/// for programs every message as JSON.
struct WatchScreen {
    private let session: Session
    private var block = RedrawnBlock()
    private var lastLine = ""
    private var isBroken = false

    init(_ session: Session) { self.session = session }

    /// Something was told: `lines` is how it looks now, `line` the same in one line.
    mutating func show(_ message: some WireMessage, lines: (TextSink) -> [String], line: String) throws {
        isBroken = false
        if session.wantsJSON {
            session.console.print(try Schemas.json(message))
        } else {
            draw(lines, line)
        }
    }

    /// The same before anything was told.
    mutating func draw(_ lines: (TextSink) -> [String], _ line: String) {
        let sink = session.console.output
        if sink.isTerminal {
            sink.write(block.redrawing(lines(sink)))
        } else if line != lastLine {
            session.console.print(line)
            lastLine = line
        }
    }

    /// The connection broke. Told once, however often the next tries fail.
    mutating func broken(lines: (TextSink) -> [String]) {
        guard !isBroken else { return }
        isBroken = true
        let sink = session.console.output
        let text = "The connection is lost; trying again."
        if session.wantsJSON || !sink.isTerminal {
            session.console.remark(text)
        } else {
            sink.write(block.redrawing(lines(sink) + ["", Style.yellow.paint(text, on: sink)]))
        }
    }
}
