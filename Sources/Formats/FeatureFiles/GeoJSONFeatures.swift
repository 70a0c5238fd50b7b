internal import JSONStream

/// The features of a GeoJSON file. Reads a piece of the text at a time and keeps those that it completed, so that
/// memory does not grow with the file.
package struct GeoJSONFeatures: FeatureReader, ~Copyable {
    private static let pieceBytes = 64 << 10
    /// Stands before each value of a sequence (RFC 8142), and nowhere else in JSON.
    private static let recordSeparator: UInt8 = 0x1e
    /// A single value that is longer ends the reading.
    private static let longestValue: UInt64 = 4 << 20
    private static let maximumBreaks = 1_000

    private let source: TextSource
    private let visitor: FeatureVisitor
    private var events: JSONEvents
    private var piece = [UInt8](repeating: 0, count: GeoJSONFeatures.pieceBytes)
    private var items: ArraySlice<FeatureItem> = []
    private var readBytes: UInt64 = 0
    private var eventsBefore: UInt64 = 0
    private var bytesAtEvent: UInt64 = 0
    private var isAtEnd = false
    /// Values that can't be read.
    private var breaks = 0
    /// The line of one is passed over.
    private var isInBrokenLine = false
    /// How far the parser came in its last bytes.
    private var brokenAt = 0

    /// `joinsProperties`: whether properties within properties are kept, under both names with a point between them.
    package init(_ source: any ByteSource, joinsProperties: Bool = false) {
        self.source = source as? TextSource ?? TextSource(source)
        visitor = FeatureVisitor(joinsProperties: joinsProperties)
        events = JSONEvents(visitor, several: true)
    }

    package mutating func next() throws(SourceError) -> FeatureItem? {
        while items.isEmpty {
            if isAtEnd { return nil }
            try readOn()
        }
        return items.removeFirst()
    }

    private mutating func readOn() throws(SourceError) {
        let count = try source.fill(&piece)
        guard count > 0 else { return try finish() }
        readBytes += UInt64(count)
        for index in 0..<count where piece[index] == Self.recordSeparator { piece[index] = UInt8(ascii: " ") }
        var found: [FeatureItem] = []
        try parse(0..<count, &found)
        try refuseEndlessValue()
        items = found[...]
    }

    private mutating func parse(_ range: Range<Int>, _ found: inout [FeatureItem]) throws(SourceError) {
        var range = range
        while !range.isEmpty {
            if isInBrokenLine {
                bytesAtEvent = readBytes
                guard let end = piece[range].firstIndex(of: UInt8(ascii: "\n")) else { return }
                (isInBrokenLine, range) = (false, (end + 1)..<range.upperBound)
                continue
            }
            let isRight = feed(range)
            found += visitor.takeFeatures().map { .feature($0) }
            if isRight { return }
            try passOver(&found)
            // What the parser has read of these bytes may end in the middle of the value that it could not read.
            if isAtEnd { return }
            range = min(range.upperBound, range.lowerBound + brokenAt)..<range.upperBound
        }
    }

    /// A value can't be read. In a file with a feature in each line that costs the line; in another one what follows.
    private mutating func passOver(_ found: inout [FeatureItem]) throws(SourceError) {
        guard visitor.failure == nil, visitor.count > 0, breaks < Self.maximumBreaks else { throw problem }
        breaks += 1
        brokenAt = events.readBytes
        let reason = "feature \(visitor.count + 1) can't be read: \(events.problem)"
        let isSequence = visitor.isSequence
        let rest = isSequence ? "its line is left out" : "it and what follows are left out"
        found.append(.notice(FileNotice("\(reason); \(rest)")))
        guard isSequence else {
            isAtEnd = true
            return
        }
        visitor.startAgain()
        events = JSONEvents(visitor, several: true)
        isInBrokenLine = true
    }

    private func feed(_ range: Range<Int>) -> Bool {
        unsafe piece.withUnsafeBytes { bytes in unsafe events.feed(UnsafeRawBufferPointer(rebasing: bytes[range])) }
    }

    private mutating func finish() throws(SourceError) {
        isAtEnd = true
        var found: [FeatureItem] = []
        if !isInBrokenLine, !events.finish() { try passOver(&found) }
        guard visitor.hasFeatures else {
            throw .bad("it has no feature; a FeatureCollection or a Feature is needed")
        }
        if let doubt = source.doubt { found.append(.notice(doubt)) }
        items = (visitor.takeFeatures().map { .feature($0) } + found)[...]
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
}
