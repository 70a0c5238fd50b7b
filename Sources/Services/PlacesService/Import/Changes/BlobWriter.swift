import Compression
import EventLoops
import Files
import Glibc
import PlaceContracts
import Wire

/// Writes an .osm.pbf, blob by blob.
struct BlobWriter: ~Copyable {
    /// Elements of a blob, and bytes of their texts and parts, which stay far below what a blob may have.
    private static let maximumElements = 8000
    private static let maximumBytes = 8 << 20
    /// Large enough for a disk, and little memory.
    private static let pieceBytes = 1 << 20
    private static let what = "the file that a dataset is made of"
    /// Half as slow as zlib's default, and some percent larger.
    private static let level: Int32 = 4

    let path: String
    private let descriptor: Descriptor
    private var piece: [UInt8] = []
    private var offset = 0
    /// Elements that are not written yet, all of one kind.
    private var waiting: [OSMElement] = []
    private var waitingBytes = 0

    /// Makes an empty file, in place of one that is there.
    init(_ path: String) throws(PlacesError) {
        self.path = path
        descriptor = try PlacesError.converting(Self.what) { () throws(SystemError) in
            let number = try syscall("open", path) {
                unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
            }
            return Descriptor(owning: number)
        }
    }

    mutating func add(_ header: PbfHeader) throws(PlacesError) { try add("OSMHeader", header.packedBytes()) }

    /// Adds a blob as it is stored elsewhere, with its header.
    mutating func add(stored bytes: [UInt8]) throws(PlacesError) {
        try flush()
        try append(bytes)
    }

    mutating func add(_ element: OSMElement) throws(PlacesError) {
        let isFull = waiting.count >= Self.maximumElements || waitingBytes + element.heldBytes > Self.maximumBytes
        if isFull || waiting.last.map({ $0.kind != element.kind }) ?? false { try flush() }
        waiting.append(element)
        waitingBytes += element.heldBytes
    }

    /// Writes what is waiting; the file survives a power cut from here on. Gives its size.
    mutating func close() throws(PlacesError) -> UInt64 {
        try flush()
        try store()
        let (number, path) = (descriptor.number, path)
        try PlacesError.converting(Self.what) { () throws(SystemError) in
            _ = try syscall("fsync", path) { fsync(number) }
        }
        return UInt64(offset)
    }

    private mutating func flush() throws(PlacesError) {
        guard !waiting.isEmpty else { return }
        let block = PbfBlock(waiting)
        waiting.removeAll(keepingCapacity: true)
        waitingBytes = 0
        try add("OSMData", block.packedBytes())
    }

    private mutating func add(_ type: String, _ content: [UInt8]) throws(PlacesError) {
        guard content.count <= BlobReader.longestBlob, let packed = Zlib.pack(content, level: Self.level) else {
            throw .badFile(reason: "an element in it takes a blob of \(content.count) bytes, which is too much")
        }
        let blob = PbfBlob(rawSize: Int32(content.count), zlibData: packed).packedBytes()
        let header = PbfBlobHeader(type: type, datasize: Int32(clamping: blob.count)).packedBytes()
        let length = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: header.count >> $0) }
        try append(length + header + blob)
    }

    private mutating func append(_ bytes: [UInt8]) throws(PlacesError) {
        piece += bytes
        if piece.count >= Self.pieceBytes { try store() }
    }

    private mutating func store() throws(PlacesError) {
        let (number, offset, path, piece) = (descriptor.number, offset, path, piece)
        try PlacesError.converting(Self.what) { () throws(SystemError) in
            try DiskFile.writeAll(piece, to: number, at: offset, path)
        }
        self.offset += piece.count
        self.piece.removeAll(keepingCapacity: true)
    }
}
