internal import Bytes

/// The places of a GPX or KML file. Reads a piece of the text at a time and keeps the places that it completed. Where
/// the text is no XML it goes on with the next place: what can't be read costs its part.
package struct MarkupFeatures: FeatureReader, ~Copyable {
    private static let pieceBytes = 64 << 10
    /// A single token that is longer ends the reading.
    private static let longestToken: UInt64 = 1 << 20
    /// Parts that can't be read, after which nothing more is.
    private static let maximumBreaks = 1_000
    /// Bytes of the names of elements that are open around the places.
    private static let longestContext = 10_000

    private let source: TextSource
    private let collector: any PlacemarkCollector
    private var mender = MarkupMender()
    private var parser: MarkupParser
    private var piece = [UInt8](repeating: 0, count: MarkupFeatures.pieceBytes)
    private var items: ArraySlice<FeatureItem> = []
    private var readBytes: UInt64 = 0
    private var eventsBefore: UInt64 = 0
    private var bytesAtEvent: UInt64 = 0
    private var isAtEnd = false
    /// Line ends that the parser has been given.
    private var lines: UInt64 = 0
    private var breaks = 0
    /// After a break: bytes in which the next place may begin.
    private var sought: [UInt8]?

    /// Whichever of them it is.
    package init(_ source: any ByteSource) throws(SourceError) { try self.init(source, EitherCollector()) }

    package init(gpx source: any ByteSource) throws(SourceError) { try self.init(source, GPXCollector()) }

    package init(kml source: any ByteSource) throws(SourceError) { try self.init(source, KMLCollector()) }

    private init(_ source: any ByteSource, _ collector: any PlacemarkCollector) throws(SourceError) {
        guard let parser = MarkupParser(collector) else {
            throw .bad("there is no memory for reading it")
        }
        self.source = source as? TextSource ?? TextSource(source)
        self.collector = collector
        self.parser = parser
    }

    package mutating func next() throws(SourceError) -> FeatureItem? {
        while items.isEmpty {
            if isAtEnd { return nil }
            try readOn()
        }
        return items.removeFirst()
    }

    /// Whether its descriptions are HTML.
    package var isKML: Bool { collector.format == "KML" }

    private mutating func readOn() throws(SourceError) {
        let count = try source.fill(&piece)
        isAtEnd = count == 0
        readBytes += UInt64(count)
        var found: [FeatureItem] = []
        try parse(mender.mend(piece[..<count], isLast: isAtEnd)[...], &found)
        if isAtEnd {
            if !collector.isRoot {
                throw .bad("it is no \(collector.format): no element of it is called \(collector.root)")
            }
            found += [mender.loss, source.doubt].compactMap(\.self).map { .notice($0) }
        }
        try refuseEndlessToken()
        items = found[...]
    }

    private mutating func parse(_ bytes: ArraySlice<UInt8>, _ found: inout [FeatureItem]) throws(SourceError) {
        var bytes = bytes
        while true {
            if sought != nil {
                guard let next = try seek(bytes) else { return }
                bytes = next
            }
            let isRight = parser.feed(bytes, isLast: isAtEnd)
            take(&found)
            if isRight {
                lines += UInt64(bytes.count { $0 == UInt8(ascii: "\n") })
                return
            }
            guard collector.isRoot, parser.refusal == nil else {
                let problem = FileNotice(line: parser.line, parser.problem).description
                throw .bad(parser.refusal == nil ? "it is no XML, \(problem)" : problem)
            }
            let isCut = isAtEnd && parser.isCutShort
            let problem = isCut ? "the file ends too early" : parser.problem
            found.append(
                .notice(
                    FileNotice(
                        line: parser.line, column: isCut ? 0 : parser.column, "\(problem); \(collector.cutOff())")))
            // What was whole of a line.
            take(&found)
            breaks += 1
            guard breaks < Self.maximumBreaks else {
                let last = FileNotice(line: parser.line, problem)
                throw .bad("more than \(Self.maximumBreaks) parts of it can't be read; the last one: \(last)")
            }
            let passed = min(bytes.count, parser.readBytes + 1)
            lines += UInt64(bytes.prefix(passed).count { $0 == UInt8(ascii: "\n") })
            (bytes, sought) = (bytes.dropFirst(passed), [])
        }
    }

    /// The places and lines that are complete.
    private mutating func take(_ found: inout [FeatureItem]) {
        found += collector.takePlaces().map { .feature($0) }
        found += collector.takeLines().map { .line($0) } + collector.takeLists().map { .list($0) }
    }

    /// Where the next place begins, the parser goes on; nil when it does not begin in these bytes.
    private mutating func seek(_ bytes: ArraySlice<UInt8>) throws(SourceError) -> ArraySlice<UInt8>? {
        let all = ((sought ?? []) + bytes)[...]
        bytesAtEvent = readBytes
        switch collector.beginning(in: all, isLast: isAtEnd) {
        case .at(let start):
            lines += UInt64(all[..<start].count { $0 == UInt8(ascii: "\n") })
            // What is open is read again for each break.
            let isShort = parser.open.reduce(0) { $0 + $1.utf8.count } <= Self.longestContext
            let open = collector.context(of: isShort ? parser.open : [])
            guard let parser = MarkupParser(after: parser, inside: open, linesBefore: lines) else {
                throw .bad("there is no memory for reading it")
            }
            self.parser = parser
            (eventsBefore, sought) = (parser.events, nil)
            return all[start...]
        case .after(let start):
            lines += UInt64(all[..<start].count { $0 == UInt8(ascii: "\n") })
            sought = Array(all[start...])
            return nil
        }
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
}
