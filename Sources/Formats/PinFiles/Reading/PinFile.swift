package import FeatureFiles

/// A file of pins that is being read: GeoJSON, GPX, KML, KMZ, or what Takeout gives: an archive, its GeoJSON, a
/// table of it, where a phone was. Which one it is, is seen from its first bytes. Blocks; memory does not grow with the
/// file.
package final class PinFile {
    private let source: any PinSource
    private let turn: ReadingTurn

    /// `name`: what the file is called, as a table of Takeout is a list of that name.
    package init(
        path: String, name: String = "", limits: PinFileLimits = PinFileLimits(), turn: ReadingTurn = ReadingTurn()
    ) throws(SourceError) {
        self.turn = turn
        let file = try FileSource(path: path)
        guard file.byteCount > 0 else { throw .bad("it is empty") }
        if file.head(4) == [0x50, 0x4b, 0x03, 0x04] || file.head(4) == [0x50, 0x4b, 0x05, 0x06] {
            source = try ArchiveSource(path, limits, turn)
            return
        }
        // What is packed counts too: there may be nothing in it.
        let stored = TurnSource(file, turn)
        let unpacked = file.isGzip ? GzipSource(stored, limitBytes: limits.timelineBytes) : nil
        let text = TextSource(unpacked.map { TurnSource($0, turn) } ?? stored)
        let kind = try turn.unpaused { () throws(SourceError) in try Self.kind(of: text) }
        if kind != .timeline { unpacked?.limitBytes = limits.unpackedBytes }
        source = try Self.source(text, kind, name, turn)
    }

    /// The next pin, or what can't become one; nil at the end. Throws when the file can't be read to its end, and when
    /// the turn is over.
    package func next() throws(SourceError) -> PinFileItem? { try source.next() }

    /// Blanks that may stand before the first byte that shows what a file is.
    private static let maximumBlanks = 64

    private enum Kind { case markup, geoJSON, timeline, table }

    /// As the first byte shows it that is no blank, and of JSON its beginning. No more is read than that takes.
    private static func kind(of text: TextSource) throws(SourceError) -> Kind {
        var count = 1
        while count <= maximumBlanks {
            let head = try text.peek(count)
            switch head.first(where: { $0 > 0x20 }) {
            case UInt8(ascii: "<"): return .markup
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                let head = String(decoding: try text.peek(Timeline.headBytes), as: UTF8.self)
                return TimelineName.isTimeline(head) ? .timeline : .geoJSON
            case nil where head.count == count: count += 1
            default: return .table
            }
        }
        return .table
    }

    private static func source(
        _ text: TextSource, _ kind: Kind, _ name: String, _ turn: ReadingTurn
    ) throws(SourceError) -> any PinSource {
        switch kind {
        case .markup: FeatureSource(try MarkupFeatures(text)) { $0.isKML }
        case .geoJSON: FeatureSource(GeoJSONFeatures(text, joinsProperties: true))
        case .timeline: TimelineSource(text)
        case .table: try turn.unpaused { () throws(SourceError) in try TableSource(text, name: name) }
        }
    }
}
