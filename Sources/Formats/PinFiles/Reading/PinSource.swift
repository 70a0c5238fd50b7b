import FeatureFiles

/// Gives the pins of one file, whatever its format. Blocks.
protocol PinSource: AnyObject {
    /// Nil at the end. Throws when the file as a whole can't be read any further.
    func next() throws(SourceError) -> PinFileItem?
}

/// The pins of a file of features.
final class FeatureSource<Reader: FeatureReader & ~Copyable>: PinSource {
    private var reader: Reader
    /// What else a feature is.
    private var pending: ArraySlice<PinFileItem> = []
    /// Whether descriptions are HTML, as in KML.
    private let hasHTML: (borrowing Reader) -> Bool

    init(_ reader: consuming Reader, hasHTML: @escaping (borrowing Reader) -> Bool = { _ in false }) {
        self.reader = reader
        self.hasHTML = hasHTML
    }

    func next() throws(SourceError) -> PinFileItem? {
        if let item = pending.popFirst() { return item }
        switch try reader.next() {
        case nil: return nil
        case .line(let line):
            if let problem = line.feature.problem {
                return PinFileItem(number: 0, content: .bad("\(line.kind): \(problem.description)"))
            }
            let contents = PinFileItem.Content.ofShapes(line.feature, line.kind)
            return give(contents + PinFileItem.Content.leftOut(line.feature, line.kind), number: 0)
        case .list(let list): return PinFileItem(number: 0, content: .list(list))
        case .notice(let notice): return PinFileItem(number: 0, content: .bad(notice.description))
        case .feature(let feature):
            do throws(RowProblem) {
                let contents = try PinFileItem.Content.all(feature, hasHTML: hasHTML(reader))
                return give(contents + PinFileItem.Content.leftOut(feature, "feature"), number: feature.number)
            } catch {
                return PinFileItem(number: feature.number, content: .bad(error.description))
            }
        }
    }

    private func give(_ contents: [PinFileItem.Content], number: UInt64) -> PinFileItem? {
        if contents.count > 1 { pending = contents.dropFirst().map { PinFileItem(number: number, content: $0) }[...] }
        return contents.first.map { PinFileItem(number: number, content: $0) }
    }
}
