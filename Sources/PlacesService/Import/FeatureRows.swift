import JSONStream

/// Rows of a GeoJSON file. Reads a piece of the text at a time and keeps the features that it completed, so that memory
/// does not grow with the file.
struct FeatureRows: RowReader, ~Copyable {
    private static let pieceBytes = 64 << 10
    /// Stands before each value of a sequence (RFC 8142), and nowhere else in JSON.
    private static let recordSeparator: UInt8 = 0x1e
    /// A single value that is longer ends the reading.
    private static let longestValue: UInt64 = 4 << 20

    private let source: any ByteSource
    private let visitor: FeatureVisitor
    private let events: JSONEvents
    private var roles: PropertyRoles
    private var piece = [UInt8](repeating: 0, count: FeatureRows.pieceBytes)
    private var features: ArraySlice<Feature> = []
    private var readBytes: UInt64 = 0
    private var eventsBefore: UInt64 = 0
    private var bytesAtEvent: UInt64 = 0
    private var isAtEnd = false

    init(_ source: any ByteSource, _ names: ColumnNames) {
        self.source = source
        roles = PropertyRoles(names)
        visitor = FeatureVisitor()
        events = JSONEvents(visitor, several: true)
    }

    mutating func next(_ row: inout PlaceRow) throws(PlacesError) -> RowEvent? {
        while features.isEmpty {
            if isAtEnd { return nil }
            try readOn()
        }
        let feature = features.removeFirst()
        do throws(RowProblem) {
            try feature.fill(&row, &roles)
            return .row(line: feature.number)
        } catch {
            return .bad(line: feature.number, error)
        }
    }

    private mutating func readOn() throws(PlacesError) {
        let count = try fill()
        guard count > 0 else { return try finish() }
        let skipped = readBytes == 0 && count >= 3 && piece[..<3] == [0xef, 0xbb, 0xbf] ? 3 : 0
        readBytes += UInt64(count)
        for index in 0..<count where piece[index] == Self.recordSeparator { piece[index] = UInt8(ascii: " ") }
        guard feed(skipped..<count) else { throw problem }
        try refuseEndlessValue()
        features = visitor.takeFeatures()[...]
    }

    private func feed(_ range: Range<Int>) -> Bool {
        unsafe piece.withUnsafeBytes { bytes in unsafe events.feed(UnsafeRawBufferPointer(rebasing: bytes[range])) }
    }

    private mutating func finish() throws(PlacesError) {
        isAtEnd = true
        guard events.finish() else { throw problem }
        guard visitor.hasFeatures else {
            throw .badFile(reason: "it has no feature; a FeatureCollection or a Feature is needed")
        }
        features = visitor.takeFeatures()[...]
    }

    private var problem: PlacesError {
        if let failure = visitor.failure { return .badFile(reason: failure) }
        return .badFile(reason: "it is no JSON within its first \(readBytes) bytes: \(events.problem)")
    }

    private mutating func refuseEndlessValue() throws(PlacesError) {
        if visitor.events != eventsBefore {
            eventsBefore = visitor.events
            bytesAtEvent = readBytes
        }
        guard readBytes - bytesAtEvent <= Self.longestValue else {
            throw .badFile(reason: "it contains a single value of more than \(Self.longestValue) bytes")
        }
    }

    private mutating func fill() throws(PlacesError) -> Int {
        var result: Result<Int, PlacesError> = .success(0)
        unsafe piece.withUnsafeMutableBytes { [source] room in
            do throws(PlacesError) { result = .success(try unsafe source.read(into: room)) } catch {
                result = .failure(error)
            }
        }
        return try result.get()
    }
}
