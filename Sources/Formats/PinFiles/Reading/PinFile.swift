package import FeatureFiles

/// A file of pins that is being read: GeoJSON, GPX, KML, KMZ, or what Takeout gives: an archive, its GeoJSON, a
/// table of it. Which one it is, is seen from its first bytes. Blocks; memory does not grow with the file.
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
        guard file.isGzip else {
            source = try Self.source(file, Self.kind(file.head(Self.beginning)), name, turn)
            return
        }
        // What is packed counts too: there may be nothing in it.
        let peek = GzipSource(TurnSource(try FileSource(path: path), turn), limitBytes: limits.unpackedBytes)
        let head = try turn.unpaused { () throws(SourceError) in try Self.head(of: peek) }
        source = try Self.source(
            GzipSource(TurnSource(file, turn), limitBytes: limits.unpackedBytes), Self.kind(head), name, turn)
    }

    /// The next pin, or what can't become one; nil at the end. Throws when the file can't be read to its end, and when
    /// the turn is over.
    package func next() throws(SourceError) -> PinFileItem? { try source.next() }

    private static let beginning = 64

    private enum Kind { case markup, geoJSON, table }

    /// What the first bytes that are no blank show; a byte order mark is passed over.
    private static func kind(_ head: [UInt8]) throws(SourceError) -> Kind {
        let isWide = head.starts(with: [0xff, 0xfe]) || head.starts(with: [0xfe, 0xff])
        let marks = isWide ? head.dropFirst(2) : head.starts(with: [0xef, 0xbb, 0xbf]) ? head.dropFirst(3) : head[...]
        let first = marks.first { $0 > 0x20 }
        switch first {
        case UInt8(ascii: "<"): return .markup
        case _ where isWide: throw .bad("it is UTF-16; UTF-8 is needed")
        case UInt8(ascii: "{"), UInt8(ascii: "["): return .geoJSON
        default: return .table
        }
    }

    private static func source(
        _ bytes: any ByteSource, _ kind: Kind, _ name: String, _ turn: ReadingTurn
    ) throws(SourceError) -> any PinSource {
        let bytes = TurnSource(bytes, turn)
        return switch kind {
        case .markup: MarkupSource(try MarkupFeatures(bytes))
        case .geoJSON: FeatureSource(GeoJSONFeatures(bytes, joinsProperties: true))
        case .table: try turn.unpaused { () throws(SourceError) in try TableSource(bytes, name: name) }
        }
    }

    private static func head(of source: any ByteSource) throws(SourceError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: beginning)
        var result: Result<Int, SourceError> = .success(0)
        unsafe bytes.withUnsafeMutableBytes { room in
            do throws(SourceError) { result = .success(try unsafe source.read(into: room)) } catch {
                result = .failure(error)
            }
        }
        return Array(bytes[..<(try result.get())])
    }
}
