import FeatureFiles

/// Gives the pins of one file, whatever its format. Blocks.
protocol PinSource: AnyObject {
    /// Nil at the end. Throws when the file as a whole can't be read any further.
    func next() throws(SourceError) -> PinFileItem?
}

/// The pins of a file of features.
final class FeatureSource<Reader: FeatureReader & ~Copyable>: PinSource {
    private var reader: Reader
    /// The lines of a feature that was a pin too.
    private var pending: PinFileItem?
    /// Whether descriptions are HTML, as in KML.
    private let hasHTML: (borrowing Reader) -> Bool

    init(_ reader: consuming Reader, hasHTML: @escaping (borrowing Reader) -> Bool = { _ in false }) {
        self.reader = reader
        self.hasHTML = hasHTML
    }

    func next() throws(SourceError) -> PinFileItem? {
        if let item = pending {
            pending = nil
            return item
        }
        switch try reader.next() {
        case nil: return nil
        case .line(let line):
            if let problem = line.feature.problem {
                return PinFileItem(number: 0, content: .bad("\(line.kind): \(problem.description)"))
            }
            return PinFileItem(number: 0, content: .ofLine(line.feature, line.kind))
        case .list(let list): return PinFileItem(number: 0, content: .list(list))
        case .notice(let notice): return PinFileItem(number: 0, content: .bad(notice.description))
        case .feature(let feature):
            do throws(RowProblem) {
                let content = try PinFileItem.Content(feature, hasHTML: hasHTML(reader))
                if case .pin = content, let track = TrackRecord(feature) {
                    pending = PinFileItem(number: feature.number, content: .track(track))
                }
                return PinFileItem(number: feature.number, content: content)
            } catch {
                return PinFileItem(number: feature.number, content: .bad(error.description))
            }
        }
    }
}
