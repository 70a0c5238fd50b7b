import Compression
import Files
import Terminal

/// The bytes of a file of pins as they are sent: as they are, or packed, which makes a large text a tenth. Blocks.
struct SentFile: Sendable {
    /// Smaller files are not worth packing.
    private static let worthwhile: UInt64 = 1 << 20
    /// Each piece is a part of its own (RFC 1952, 2.2), so that no more of the file is in memory.
    private static let pieceBytes = 4 << 20

    let byteCount: UInt64
    private let path: String
    /// Nil when the file is sent as it is.
    private let packed: [UInt8]?

    /// - Parameter range: how many bytes may be sent.
    init(_ path: String, _ range: ClosedRange<UInt64>) throws {
        self.path = path
        let file = try OpenFile(reading: path)
        guard let size = try file.size() else { throw CommandFailure("\(path) is no ordinary file; import needs one") }
        let packed = try Self.isWorthwhile(file, size) ? Self.packed(file, range.upperBound) : nil
        byteCount = packed.map { UInt64($0.count) } ?? size
        self.packed = packed
        guard range.contains(byteCount) else {
            let count = packed == nil ? "\(size) bytes" : "more than \(range.upperBound) bytes when it is packed"
            throw CommandFailure("\(path) has \(count); \(range.lowerBound) to \(range.upperBound) are allowed")
        }
    }

    func part(at offset: UInt64, limit: Int) throws -> [UInt8] {
        guard let packed else { return try OpenFile(reading: path).read(at: offset, limit: limit) }
        let start = min(packed.count, Int(clamping: offset))
        return Array(packed[start...].prefix(limit))
    }

    /// Whether it is large, and neither gzip nor a ZIP archive.
    private static func isWorthwhile(_ file: borrowing OpenFile, _ size: UInt64) throws -> Bool {
        guard size > worthwhile else { return false }
        let head = try file.read(at: 0, limit: 2)
        return head != [0x1f, 0x8b] && head != [0x50, 0x4b]
    }

    /// Ends when there is too much.
    private static func packed(_ file: borrowing OpenFile, _ limit: UInt64) throws -> [UInt8] {
        var packed: [UInt8] = []
        var offset: UInt64 = 0
        while packed.count <= limit {
            let piece = try file.read(at: offset, limit: pieceBytes)
            if piece.isEmpty { break }
            packed += Gzip.pack(piece)
            offset += UInt64(piece.count)
        }
        return packed
    }
}
