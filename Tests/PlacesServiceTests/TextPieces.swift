import FeatureFiles

/// A source that gives its bytes in pieces of a given size.
final class TextPieces: ByteSource {
    private var rest: ArraySlice<UInt8>
    private let size: Int
    private(set) var takenBytes: UInt64 = 0
    let totalBytes: UInt64

    init(_ bytes: [UInt8], size: Int = .max) {
        rest = bytes[...]
        totalBytes = UInt64(bytes.count)
        self.size = size
    }

    convenience init(_ text: String, size: Int = .max) { self.init(Array(text.utf8), size: size) }

    func read(into room: UnsafeMutableRawBufferPointer) throws(SourceError) -> Int {
        let piece = rest.prefix(min(size, room.count))
        room.copyBytes(from: piece)
        rest = rest.dropFirst(piece.count)
        takenBytes += UInt64(piece.count)
        return piece.count
    }
}
