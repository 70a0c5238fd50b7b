/// Rows of a GPX or KML file. Reads a piece of the text at a time and keeps the places that it completed.
struct MarkupRows: RowReader, ~Copyable {
    private static let pieceBytes = 64 << 10
    /// A single token that is longer ends the reading.
    private static let longestToken: UInt64 = 1 << 20

    private let source: any ByteSource
    private let parser: MarkupParser
    private let collector: any PlacemarkCollector
    private var roles = PropertyRoles(ColumnNames())
    private var piece = [UInt8](repeating: 0, count: MarkupRows.pieceBytes)
    private var places: ArraySlice<Feature> = []
    private var readBytes: UInt64 = 0
    private var eventsBefore: UInt64 = 0
    private var bytesAtEvent: UInt64 = 0
    private var isAtEnd = false

    init(_ source: any ByteSource, _ format: FileFormat) throws(PlacesError) {
        let collector: any PlacemarkCollector = format == .gpx ? GPXCollector() : KMLCollector()
        guard let parser = MarkupParser(collector) else {
            throw .badFile(reason: "there is no memory for reading it")
        }
        self.source = source
        self.collector = collector
        self.parser = parser
    }

    mutating func next(_ row: inout PlaceRow) throws(PlacesError) -> RowEvent? {
        while places.isEmpty {
            if isAtEnd { return nil }
            try readOn()
        }
        let place = places.removeFirst()
        do throws(RowProblem) {
            try place.fill(&row, &roles)
            return .row(line: place.number)
        } catch {
            return .bad(line: place.number, error)
        }
    }

    private mutating func readOn() throws(PlacesError) {
        let count = try fill()
        isAtEnd = count == 0
        readBytes += UInt64(count)
        let isRight = unsafe piece.withUnsafeBytes { bytes in
            unsafe parser.feed(UnsafeRawBufferPointer(rebasing: bytes[..<count]), isLast: count == 0)
        }
        guard isRight else { throw .badFile(reason: parser.problem) }
        if isAtEnd, !collector.isRoot {
            throw .badFile(reason: "it is no \(collector.format): no element of it is called \(collector.root)")
        }
        try refuseEndlessToken()
        places = collector.takePlaces()[...]
    }

    private mutating func refuseEndlessToken() throws(PlacesError) {
        if parser.events != eventsBefore {
            eventsBefore = parser.events
            bytesAtEvent = readBytes
        }
        guard readBytes - bytesAtEvent <= Self.longestToken else {
            throw .badFile(reason: "it contains a single tag of more than \(Self.longestToken) bytes")
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
