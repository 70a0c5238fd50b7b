import Contracts
import Terminal

/// Shows the progress of a scan: for a person progress, unusable files and a summary; for a program a JSON line each.
struct ScanReport {
    private let session: Session
    private var progress: ProgressLine
    private var last = ScanPicturesResponse()

    init(_ session: Session) {
        self.session = session
        progress = ProgressLine(session.console.messages)
    }

    /// The scan is so far.
    mutating func received(_ answer: ScanPicturesResponse) throws {
        last = answer
        guard !session.wantsJSON else { return session.console.print(try Schemas.json(answer)) }
        for file in answer.skipped { show(file) }
        if !answer.done { progress.show("scanning  \(Self.words(answer))") }
    }

    /// The summary at the end. A stream that ended early is not a completed scan.
    mutating func finished() throws(CommandFailure) {
        progress.clear()
        guard last.done else { throw CommandFailure("the service ended its answer before the scan was over") }
        if !session.wantsJSON { session.console.print("\(Self.words(last)).") }
    }

    /// "120 files, 118 photos new or changed, 2 gone, 1 that can't be used"
    static func words(_ answer: ScanPicturesResponse) -> String {
        var words = ["\(Quantity.count(answer.fileCount, "file"))"]
        words.append("\(Quantity.count(answer.addedCount, "photo")) new or changed")
        if answer.goneCount > 0 { words.append("\(Quantity.count(answer.goneCount)) gone") }
        if answer.skippedCount > 0 { words.append("\(Quantity.count(answer.skippedCount)) that can't be used") }
        return words.joined(separator: ", ")
    }

    private mutating func show(_ file: SkippedFile) {
        progress.clear()
        let path = Style.yellow.paint(file.path.printable, on: session.console.messages)
        session.console.remark("\(path): \(file.reason.printable)")
    }
}
