import FeatureFiles

/// Gives the pins of one file, whatever its format. Blocks.
protocol PinSource: AnyObject {
    /// Nil at the end. Throws when the file as a whole can't be read any further.
    func next() throws(SourceError) -> PinFileItem?
}

/// The pins of a file of features.
final class FeatureSource<Reader: FeatureReader & ~Copyable>: PinSource {
    private var reader: Reader
    /// Whether descriptions are HTML, as in KML.
    private let hasHTML: (borrowing Reader) -> Bool

    init(_ reader: consuming Reader, hasHTML: @escaping (borrowing Reader) -> Bool = { _ in false }) {
        self.reader = reader
        self.hasHTML = hasHTML
    }

    func next() throws(SourceError) -> PinFileItem? {
        switch try reader.next() {
        case nil: return nil
        case .line(let what): return PinFileItem(number: 0, content: .line(what))
        case .list(let list): return PinFileItem(number: 0, content: .list(list))
        case .notice(let notice): return PinFileItem(number: 0, content: .bad(notice.description))
        case .feature(let feature):
            do throws(RowProblem) {
                return PinFileItem(
                    number: feature.number, content: try PinFileItem.Content(feature, hasHTML: hasHTML(reader)))
            } catch {
                return PinFileItem(number: feature.number, content: .bad(error.description))
            }
        }
    }
}
