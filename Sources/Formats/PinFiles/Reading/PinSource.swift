import FeatureFiles

/// Gives the pins of one file, whatever its format. Blocks.
protocol PinSource: AnyObject {
    /// Nil at the end. Throws when the file as a whole can't be read any further.
    func next() throws(SourceError) -> PinFileItem?
}

/// The pins of a file of features.
final class FeatureSource<Reader: FeatureReader & ~Copyable>: PinSource {
    private var reader: Reader
    private let hasHTML: Bool

    init(_ reader: consuming Reader, hasHTML: Bool = false) {
        self.reader = reader
        self.hasHTML = hasHTML
    }

    func next() throws(SourceError) -> PinFileItem? {
        guard let feature = try reader.next() else { return nil }
        do throws(RowProblem) {
            let record = try PinRecord(feature, hasHTML: hasHTML)
            return PinFileItem(number: feature.number, content: record.map { .pin($0) } ?? .line)
        } catch {
            return PinFileItem(number: feature.number, content: .bad(error.description))
        }
    }
}

/// The same of a file of XML, with the tracks and routes that stand beside its places.
final class MarkupSource: PinSource {
    private var reader: MarkupFeatures
    private var linesGiven: UInt64 = 0

    init(_ reader: consuming MarkupFeatures) { self.reader = reader }

    func next() throws(SourceError) -> PinFileItem? {
        if let line = line() { return line }
        guard let feature = try reader.next() else { return line() }
        do throws(RowProblem) {
            let record = try PinRecord(feature, hasHTML: reader.isKML)
            return PinFileItem(number: feature.number, content: record.map { .pin($0) } ?? .line)
        } catch {
            return PinFileItem(number: feature.number, content: .bad(error.description))
        }
    }

    private func line() -> PinFileItem? {
        guard linesGiven < reader.lineCount else { return nil }
        linesGiven += 1
        return PinFileItem(number: linesGiven, content: .line)
    }
}
