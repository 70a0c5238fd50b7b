internal import Bytes
internal import Compression
import Storage

/// The files of a backup, and where the chunks of each are.
struct Listing: Sendable {
    /// A file of a data folder.
    struct File: Sendable {
        /// "photos/photos.db"
        let path: String
        let byteCount: Int
        /// When it was changed last, in milliseconds since 1970.
        let modified: Int64
        /// Bytes of each chunk but the last.
        let chunkBytes: Int
        var chunks: [ChunkPlace]

        func byteCount(ofChunk index: Int) -> Int { min(chunkBytes, byteCount - index * chunkBytes) }
    }

    /// The packs that hold the chunks, and how many chunks each has, used or not.
    var packs: [(name: BlobName, chunks: Int)] = []
    var files: [File] = []

    private static let form: UInt64 = 1
    private static let maximumBytes = 1 << 30
    /// Bytes of one that is packed: less than is read again.
    static let longestStored = 1 << 29

    /// The bytes of a listing, packed.
    var bytes: [UInt8] {
        var writer = ListingWriter()
        writer.add(Self.form)
        writer.add(UInt64(packs.count))
        for pack in packs {
            writer.add(pack.name.bytes)
            writer.add(UInt64(pack.chunks))
        }
        writer.add(UInt64(files.count))
        for file in files {
            writer.add(UInt64(file.path.utf8.count))
            writer.add(Array(file.path.utf8))
            writer.add(UInt64(file.byteCount))
            writer.add(UInt64(bitPattern: file.modified))
            writer.add(UInt64(file.chunkBytes))
            for chunk in file.chunks {
                writer.add(UInt64(chunk.pack))
                writer.add(UInt64(chunk.slot))
                writer.add(BigEndian.bytes(chunk.hash.high))
                writer.add(BigEndian.bytes(chunk.hash.low))
            }
        }
        return Gzip.pack(writer.bytes, level: 1)
    }

    init() {}

    /// Reads the bytes of a listing; nil when they are damaged.
    init?(_ bytes: [UInt8]) {
        guard case .bytes(let plain) = Gzip.unpack(bytes, limit: Self.maximumBytes) else { return nil }
        self.init(plain: plain)
    }

    init?(plain: [UInt8]) {
        var reader = ListingReader(plain)
        guard reader.number() == Self.form, let packCount = reader.count(ofAtLeast: BlobName.byteCount + 1) else {
            return nil
        }
        for _ in 0..<packCount {
            guard let name = reader.bytes(BlobName.byteCount).flatMap({ BlobName(bytes: Array($0)) }),
                let chunks = reader.number().flatMap({ Int(exactly: $0) }), chunks <= Pack.maximumChunks
            else { return nil }
            packs.append((name, chunks))
        }
        guard let fileCount = reader.count(ofAtLeast: 5) else { return nil }
        for _ in 0..<fileCount {
            guard let file = Self.file(&reader, packs) else { return nil }
            files.append(file)
        }
        guard reader.isAtEnd else { return nil }
    }

    private static func file(
        _ reader: inout ListingReader, _ packs: [(name: BlobName, chunks: Int)]
    ) -> File? {
        guard let length = reader.number().flatMap({ Int(exactly: $0) }), length <= 4_096,
            let path = reader.bytes(length).map({ String(decoding: $0, as: UTF8.self) }), DataFiles.isInside(path),
            let byteCount = reader.number().flatMap({ Int(exactly: $0) }), byteCount <= 1 << 50,
            let modified = reader.number().map({ Int64(bitPattern: $0) }),
            let chunkBytes = reader.number().flatMap({ Int(exactly: $0) }), (1...Pack.full).contains(chunkBytes)
        else { return nil }
        let count = byteCount / chunkBytes + (byteCount % chunkBytes == 0 ? 0 : 1)
        guard count <= reader.left / (2 + ChunkHash.byteCount) else { return nil }
        var chunks: [ChunkPlace] = []
        chunks.reserveCapacity(count)
        for _ in 0..<count {
            guard let pack = reader.number().flatMap({ UInt32(exactly: $0) }), pack < packs.count,
                let slot = reader.number().flatMap({ UInt16(exactly: $0) }), slot < packs[Int(pack)].chunks,
                let hash = reader.bytes(ChunkHash.byteCount)
            else { return nil }
            chunks.append(ChunkPlace(pack: pack, slot: slot, hash: ChunkHash(hash)))
        }
        return File(
            path: path, byteCount: byteCount, modified: modified, chunkBytes: chunkBytes, chunks: chunks)
    }
}

extension ChunkHash {
    /// From its bytes.
    init(_ bytes: ArraySlice<UInt8>) {
        high = BigEndian.number(bytes.prefix(8))
        low = BigEndian.number(bytes.dropFirst(8).prefix(8))
    }
}

/// Numbers in base 128, the lowest digit first, and bytes.
struct ListingWriter {
    private(set) var bytes: [UInt8] = []

    mutating func add(_ number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    mutating func add(_ more: [UInt8]) { bytes += more }
}

/// Reads what `ListingWriter` has written; nil where it is not that.
struct ListingReader {
    private let all: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { all = bytes }

    var left: Int { all.count - position }
    var isAtEnd: Bool { left == 0 }

    mutating func number() -> UInt64? {
        var number: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 64, by: 7) {
            guard position < all.count else { return nil }
            let byte = all[position]
            position += 1
            guard shift < 63 || byte < 2 else { return nil }
            number |= UInt64(byte & 0x7f) << shift
            if byte < 0x80 { return number }
        }
        return nil
    }

    mutating func bytes(_ count: Int) -> ArraySlice<UInt8>? {
        guard count <= left else { return nil }
        defer { position += count }
        return all[position..<(position + count)]
    }

    /// A number of things that each take at least so many bytes.
    mutating func count(ofAtLeast size: Int) -> Int? {
        guard let count = number().flatMap({ Int(exactly: $0) }), count <= left / size else { return nil }
        return count
    }
}
