import FeatureFiles

/// Reads a file of changes piece by piece, and adds them to those of the files before it.
struct ChangeReader: ~Copyable {
    private static let pieceBytes = 64 << 10
    /// A single token that is longer ends the reading.
    private static let longestToken = 1 << 20

    private let source: any ByteSource
    private let collector: ChangeCollector
    private let parser: MarkupParser
    private var piece = [UInt8](repeating: 0, count: ChangeReader.pieceBytes)
    private var events: UInt64 = 0
    /// Bytes since the last event.
    private var quiet = 0

    /// - Parameter collector: has the changes of the files before it.
    init(_ source: any ByteSource, into collector: ChangeCollector) throws(PlacesError) {
        guard let parser = MarkupParser(collector) else {
            throw .badFile(reason: "there is no memory for reading it")
        }
        (self.source, self.collector, self.parser) = (source, collector, parser)
        collector.beginFile()
    }

    /// Reads on; false at the end of the file.
    mutating func readOn() throws(PlacesError) -> Bool {
        let count = try PlacesError.reading { () throws(SourceError) in try source.fill(&piece) }
        guard parser.feed(piece[..<count], isLast: count == 0) else {
            throw .badFile(reason: "its changes can't be read: \(FileNotice(line: parser.line, parser.problem))")
        }
        quiet = parser.events == events ? quiet + count : 0
        events = parser.events
        guard quiet <= Self.longestToken else {
            throw .badFile(reason: "it contains a single tag of more than \(Self.longestToken) bytes")
        }
        guard count == 0 else { return true }
        guard collector.isRoot else {
            throw .badFile(reason: "it is no file of changes: no element of it is called osmChange")
        }
        return false
    }
}
