/// The places of a GPX or KML file. Reads a piece of the text at a time and keeps the places that it completed.
package struct MarkupFeatures: FeatureReader, ~Copyable {
    private static let pieceBytes = 64 << 10
    /// A single token that is longer ends the reading.
    private static let longestToken: UInt64 = 1 << 20

    private let source: any ByteSource
    private let parser: MarkupParser
    private let collector: any PlacemarkCollector
    private var piece = [UInt8](repeating: 0, count: MarkupFeatures.pieceBytes)
    private var places: ArraySlice<Feature> = []
    private var readBytes: UInt64 = 0
    private var eventsBefore: UInt64 = 0
    private var bytesAtEvent: UInt64 = 0
    private var isAtEnd = false

    /// Whichever of them it is.
    package init(_ source: any ByteSource) throws(SourceError) { try self.init(source, EitherCollector()) }

    package init(gpx source: any ByteSource) throws(SourceError) { try self.init(source, GPXCollector()) }

    package init(kml source: any ByteSource) throws(SourceError) { try self.init(source, KMLCollector()) }

    private init(_ source: any ByteSource, _ collector: any PlacemarkCollector) throws(SourceError) {
        guard let parser = MarkupParser(collector) else {
            throw .bad("there is no memory for reading it")
        }
        self.source = source
        self.collector = collector
        self.parser = parser
    }

    package mutating func next() throws(SourceError) -> Feature? {
        while places.isEmpty {
            if isAtEnd { return nil }
            try readOn()
        }
        return places.removeFirst()
    }

    /// Whether its descriptions are HTML.
    package var isKML: Bool { collector.format == "KML" }

    /// How many tracks and routes there were so far: lines, which are no places.
    package var lineCount: UInt64 { collector.lineCount }

    private mutating func readOn() throws(SourceError) {
        let count = try fill()
        isAtEnd = count == 0
        readBytes += UInt64(count)
        let isRight = unsafe piece.withUnsafeBytes { bytes in
            unsafe parser.feed(UnsafeRawBufferPointer(rebasing: bytes[..<count]), isLast: count == 0)
        }
        guard isRight else { throw .bad(parser.problem) }
        if isAtEnd, !collector.isRoot {
            throw .bad("it is no \(collector.format): no element of it is called \(collector.root)")
        }
        try refuseEndlessToken()
        places = collector.takePlaces()[...]
    }

    private mutating func refuseEndlessToken() throws(SourceError) {
        if parser.events != eventsBefore {
            eventsBefore = parser.events
            bytesAtEvent = readBytes
        }
        guard readBytes - bytesAtEvent <= Self.longestToken else {
            throw .bad("it contains a single tag of more than \(Self.longestToken) bytes")
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
