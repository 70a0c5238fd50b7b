internal import JSONStream

/// The features of a GeoJSON file. Reads a piece of the text at a time and keeps those that it completed, so that
/// memory does not grow with the file.
package struct GeoJSONFeatures: FeatureReader, ~Copyable {
    private static let pieceBytes = 64 << 10
    /// Stands before each value of a sequence (RFC 8142), and nowhere else in JSON.
    private static let recordSeparator: UInt8 = 0x1e
    /// A single value that is longer ends the reading.
    private static let longestValue: UInt64 = 4 << 20

    private let source: any ByteSource
    private let visitor: FeatureVisitor
    private let events: JSONEvents
    private var piece = [UInt8](repeating: 0, count: GeoJSONFeatures.pieceBytes)
    private var features: ArraySlice<Feature> = []
    private var readBytes: UInt64 = 0
    private var eventsBefore: UInt64 = 0
    private var bytesAtEvent: UInt64 = 0
    private var isAtEnd = false

    /// `joinsProperties`: whether properties within properties are kept, under both names with a point between them.
    package init(_ source: any ByteSource, joinsProperties: Bool = false) {
        self.source = source
        visitor = FeatureVisitor(joinsProperties: joinsProperties)
        events = JSONEvents(visitor, several: true)
    }

    package mutating func next() throws(SourceError) -> Feature? {
        while features.isEmpty {
            if isAtEnd { return nil }
            try readOn()
        }
        return features.removeFirst()
    }

    private mutating func readOn() throws(SourceError) {
        let count = try fill()
        guard count > 0 else { return try finish() }
        if readBytes == 0, count >= 2, piece[..<2] == [0xff, 0xfe] || piece[..<2] == [0xfe, 0xff] {
            throw .bad("it is UTF-16; JSON is UTF-8")
        }
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

    private mutating func finish() throws(SourceError) {
        isAtEnd = true
        guard events.finish() else { throw problem }
        guard visitor.hasFeatures else {
            throw .bad("it has no feature; a FeatureCollection or a Feature is needed")
        }
        features = visitor.takeFeatures()[...]
    }

    private var problem: SourceError {
        if let failure = visitor.failure { return .bad(failure) }
        return .bad("it is no JSON within its first \(readBytes) bytes: \(events.problem)")
    }

    private mutating func refuseEndlessValue() throws(SourceError) {
        if visitor.events != eventsBefore {
            eventsBefore = visitor.events
            bytesAtEvent = readBytes
        }
        guard readBytes - bytesAtEvent <= Self.longestValue else {
            throw .bad("it contains a single value of more than \(Self.longestValue) bytes")
        }
    }

    private mutating func fill() throws(SourceError) -> Int {
        var result: Result<Int, SourceError> = .success(0)
        unsafe piece.withUnsafeMutableBytes { [source] room in
            do throws(SourceError) { result = .success(try unsafe source.read(into: room)) } catch {
                result = .failure(error)
            }
        }
        return try result.get()
    }
}
