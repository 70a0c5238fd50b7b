import Contracts
import EventLoops
import Terminal

/// Shows the progress of an import: for a person progress, bad rows and a summary; for a program a JSON line each.
struct ImportReport {
    /// How many bad rows are shown one by one.
    private static let shownBadRows: UInt64 = 20

    /// Who reads it.
    enum Reader: Sendable {
        case person, program, nobody
    }

    private let session: Session
    private let reader: Reader
    private let start: MonotonicTime
    /// What is being done, and since when.
    private var phase = (name: "", start: MonotonicTime.now)
    private var progress: ProgressLine
    private var badRows: UInt64 = 0

    init(_ session: Session, for reader: Reader? = nil, start: MonotonicTime = .now) {
        self.session = session
        self.reader = reader ?? (session.wantsJSON ? .program : .person)
        self.start = start
        progress = ProgressLine(session.console.messages)
    }

    /// So many bytes of the file have arrived.
    mutating func uploaded(_ done: UInt64, of total: UInt64) {
        guard reader == .person else { return }
        let rate = rate(done: done, total: total, "sending")
        let size = "\(Quantity.bytes(done)) of \(Quantity.bytes(total))"
        progress.show("sending  \(rate.bar)  \(size)\(rate.speed)\(rate.timeLeft)")
    }

    /// Something happened while the file was read.
    mutating func received(_ event: RunImportResponse) throws {
        switch (reader, event.event) {
        case (.nobody, _), (.program, .progress): return
        case (.program, _): session.console.print(try Schemas.json(event))
        case (.person, .progress(let now)): show(now)
        case (.person, .badRow(let row)): show(row)
        case (.person, .summary), (.person, nil): progress.clear()
        }
    }

    /// The summary at the end.
    func finished(_ summary: ImportSummary) {
        guard reader == .person else { return }
        if badRows > Self.shownBadRows {
            session.console.remark("… and \(Quantity.count(badRows - Self.shownBadRows, "more bad row"))")
        }
        session.console.print(Self.line(summary, elapsed: MonotonicTime.now.since(start)))
    }

    /// "mine holds 1,200 places now, read from 1,203 rows in 0.4 s; 3 bad rows were passed over."
    static func line(_ summary: ImportSummary, elapsed: Duration) -> String {
        let dataset = summary.dataset ?? Dataset()
        var line = "\(dataset.name.printable) contains \(Quantity.count(dataset.placeCount, "place")) now, "
        line += "read from \(Quantity.count(summary.rowCount, "row")) in \(Quantity.duration(elapsed))"
        if summary.badRowCount > 0 { line += "; skipped \(Quantity.count(summary.badRowCount, "bad row"))" }
        if summary.duplicateCount > 0 {
            line += "; \(Quantity.count(summary.duplicateCount, "id")) came again, the last one stays"
        }
        return line + "."
    }

    private mutating func show(_ now: ImportProgress) {
        let rate = rate(done: now.readByteCount, total: now.totalByteCount, now.phase)
        let size = "\(Quantity.bytes(now.readByteCount)), \(Quantity.count(now.rowCount, "row"))"
        progress.show("\(now.phase.printable)  \(rate.bar)  \(size)\(rate.speed)\(rate.timeLeft)")
    }

    /// Each phase has a speed of its own: how fast a file was sent says nothing of how fast it will be read.
    private mutating func rate(done: UInt64, total: UInt64, _ name: String) -> Rate {
        if phase.name != name { phase = (name, .now) }
        return Rate(done: done, total: total, elapsed: MonotonicTime.now.since(phase.start))
    }

    private mutating func show(_ row: BadRow) {
        badRows += 1
        guard badRows <= Self.shownBadRows else { return }
        progress.clear()
        let line = Style.yellow.paint("line \(row.line)", on: session.console.messages)
        session.console.remark("\(line): \(row.reason.printable)")
    }
}

/// The speed of a phase, and the estimate of the time left.
struct Rate {
    let done: UInt64
    let total: UInt64
    let elapsed: Duration

    private var fraction: Double { total > 0 ? Double(done) / Double(total) : 0 }

    /// "████░░░░  41 %"
    var bar: String { "\(ProgressLine.bar(fraction))  \(Quantity.fixed(fraction * 100, 0)) %" }

    /// ", 48.2 MB/s"; empty before it is known.
    var speed: String {
        guard (0..<1).contains(fraction), elapsed > .milliseconds(500) else { return "" }
        return ", \(Quantity.bytes(UInt64(Double(done) / (elapsed / .seconds(1)))))/s"
    }

    /// ", 12 s left"; empty before it is known.
    var timeLeft: String {
        guard (0.01..<1).contains(fraction), elapsed > .milliseconds(500) else { return "" }
        let seconds = (elapsed * (1 / fraction - 1)).components.seconds + 1
        return ", \(seconds < 60 ? "\(seconds) s" : Quantity.duration(.seconds(seconds))) left"
    }
}
