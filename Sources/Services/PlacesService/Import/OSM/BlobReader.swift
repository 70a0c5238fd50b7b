import Compression
import PlaceContracts
import FeatureFiles
import Wire

/// The position of a blob in an .osm.pbf file.
struct BlobPlace: Hashable, Sendable {
    /// Counted from 1.
    let number: UInt64
    /// Of its first byte in the file.
    let offset: UInt64

    /// Why the file can't be used because of this blob.
    func error(_ reason: String) -> PlacesError { .badFile(reason: "blob \(number) at byte \(offset): \(reason)") }

    /// Unpacks a message of the blob.
    func unpack<Message: WireMessage>(_ bytes: [UInt8], budget: Int) throws(PlacesError) -> Message {
        do throws(WireError) {
            return try Message(packed: bytes, budget: budget)
        } catch {
            throw self.error("\(error)")
        }
    }
}

/// Reads an .osm.pbf file blob by blob, and any blob again. A file can't make it take more memory than a blob may have.
struct BlobReader: ~Copyable {
    /// Limits of the format, in bytes.
    static let longestHeader = 64 << 10
    static let longestBlob = 32 << 20

    /// A blob that was found, not yet its content.
    struct Entry {
        let place: BlobPlace
        /// "OSMHeader", "OSMData" or another type that its writer knows.
        let type: String
        /// Where what is behind its header begins in the file.
        fileprivate let start: UInt64
        /// Bytes of what is behind its header.
        let byteCount: Int
    }

    private let file: FileSource
    private let limitBytes: UInt64
    private var unpackedBytes: UInt64 = 0
    private var number: UInt64 = 0
    private var offset: UInt64 = 0

    /// All blobs that are read may unpack to `limitBytes` together.
    init(_ file: FileSource, limitBytes: UInt64) {
        self.file = file
        self.limitBytes = limitBytes
    }

    /// The next blob; nil at the end of the file.
    mutating func next() throws(PlacesError) -> Entry? {
        if offset == file.byteCount { return nil }
        number += 1
        let place = BlobPlace(number: number, offset: offset)
        let length = try read(4, at: offset, place).reduce(0) { $0 << 8 | Int($1) }
        guard length <= Self.longestHeader else {
            throw place.error(
                "its header has \(length) bytes, at most \(Self.longestHeader) are allowed; is it an .osm.pbf?")
        }
        let bytes = try read(length, at: offset + 4, place)
        let header: PbfBlobHeader = try place.unpack(bytes, budget: 4 * Self.longestHeader)
        guard (0...Self.longestBlob).contains(Int(header.datasize)) else {
            throw place.error("it says it has \(header.datasize) bytes, 0 to \(Self.longestBlob) are allowed")
        }
        let start = offset + 4 + UInt64(length)
        offset = start + UInt64(header.datasize)
        guard offset <= file.byteCount else { throw place.error("the file ends within it; was it cut short?") }
        return Entry(place: place, type: header.type, start: start, byteCount: Int(header.datasize))
    }

    /// Skips a blob whose content is not needed.
    mutating func pass(over entry: Entry) { file.pass(over: entry.byteCount) }

    /// A blob as it is stored, with the header before it.
    func stored(_ entry: Entry) throws(PlacesError) -> [UInt8] {
        let count = Int(entry.start - entry.place.offset) + entry.byteCount
        return try read(count, at: entry.place.offset, entry.place)
    }

    /// What a blob holds, unpacked.
    mutating func content(of entry: Entry) throws(PlacesError) -> [UInt8] {
        let stored = try read(entry.byteCount, at: entry.start, entry.place)
        let content = try Self.unpacked(try entry.place.unpack(stored, budget: 2 * Self.longestBlob), entry.place)
        unpackedBytes += UInt64(content.count)
        guard unpackedBytes <= limitBytes else {
            throw entry.place.error("the file unpacks to more than \(limitBytes) bytes, which is the limit")
        }
        return content
    }

    private func read(_ count: Int, at offset: UInt64, _ place: BlobPlace) throws(PlacesError) -> [UInt8] {
        let bytes = try PlacesError.reading { () throws(SourceError) in try file.read(at: offset, count: count) }
        guard bytes.count == count else { throw place.error("the file ends within it; was it cut short?") }
        return bytes
    }

    private static func unpacked(_ blob: PbfBlob, _ place: BlobPlace) throws(PlacesError) -> [UInt8] {
        if let raw = blob.raw { return raw }
        guard let packed = blob.zlibData else {
            throw place.error("it \(compression(of: blob)); blobs that are packed by zlib or not at all can be read")
        }
        let size = Int(blob.rawSize ?? -1)
        guard (0...longestBlob).contains(size) else {
            throw place.error("it says it unpacks to \(size) bytes, 0 to \(longestBlob) are allowed")
        }
        switch Zlib.unpack(packed, byteCount: size) {
        case .bytes(let bytes): return bytes
        case .damaged: throw place.error("its compressed data is damaged")
        case .tooLong: throw place.error("it unpacks to more than the \(size) bytes that it says")
        case .tooShort(let count): throw place.error("it unpacks to \(count) bytes, but says \(size)")
        }
    }

    private static func compression(of blob: PbfBlob) -> String {
        if blob.lzmaData != nil { return "is packed by LZMA" }
        if blob.bzip2Data != nil { return "is packed by bzip2" }
        if blob.lz4Data != nil { return "is packed by LZ4" }
        return blob.zstdData != nil ? "is packed by Zstandard" : "holds nothing"
    }
}
