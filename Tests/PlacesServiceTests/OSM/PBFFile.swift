import CZlib
import PlaceContracts
import Wire

@testable import PlacesService

/// Writes .osm.pbf files for tests, right ones and wrong ones.
struct PBFFile {
    enum Packing { case raw, zlib }

    private(set) var bytes: [UInt8] = []

    /// A file with a header that asks for these features.
    init(features: [String] = ["OsmSchema-V0.6", "DenseNodes"], box: PbfBox? = nil) {
        self.init(header: PbfHeader(box: box, requiredFeatures: features))
    }

    init(header: PbfHeader) { add("OSMHeader", header.packedBytes()) }

    /// A file of one block.
    init(_ block: PbfBlock) {
        self.init()
        add(block)
    }

    mutating func add(_ block: PbfBlock, _ packing: Packing = .zlib) { add("OSMData", block.packedBytes(), packing) }

    mutating func add(_ type: String, _ content: [UInt8], _ packing: Packing = .zlib) {
        switch packing {
        case .raw: add(type, PbfBlob(raw: content))
        case .zlib: add(type, PbfBlob(rawSize: Int32(content.count), zlibData: Self.deflated(content)))
        }
    }

    mutating func add(_ type: String, _ blob: PbfBlob) {
        let stored = blob.packedBytes()
        add(header: PbfBlobHeader(type: type, datasize: Int32(stored.count)).packedBytes(), stored)
    }

    /// Any bytes as a header, with their length before them.
    mutating func add(header: [UInt8], _ stored: [UInt8]) {
        for shift in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: header.count >> shift)) }
        bytes += header + stored
    }

    mutating func add(bytes more: [UInt8]) { bytes += more }

    static func deflated(_ content: [UInt8]) -> [UInt8] {
        var length = compressBound(UInt(content.count))
        var packed = [UInt8](repeating: 0, count: Int(length))
        precondition(compress2(&packed, &length, content, UInt(content.count), 9) == Z_OK)
        return Array(packed[..<Int(length)])
    }

    /// Zigzag, as the format has it.
    static func folded(_ number: Int64) -> UInt64 { UInt64(bitPattern: number << 1 ^ number >> 63) }

    /// Each number as its folded distance from the one before.
    static func distances(_ numbers: [Int64]) -> [UInt64] {
        zip(numbers, [0] + numbers).map { folded($0 &- $1) }
    }
}

/// Texts of a block, which it numbers as they come.
struct BlockTexts {
    private(set) var texts: [[UInt8]] = [[]]

    mutating func number(_ text: String) -> UInt32 {
        let bytes = Array(text.utf8)
        if let known = texts.firstIndex(of: bytes) { return UInt32(known) }
        texts.append(bytes)
        return UInt32(texts.count - 1)
    }

    mutating func numbers(_ texts: [String]) -> [UInt32] { texts.map { number($0) } }
}

extension PbfBlock {
    /// A cafe called "Good" at 1° N 2° E, in the densest form: what tests damage.
    static var good: PbfBlock {
        var texts = BlockTexts()
        let tags = texts.numbers(["amenity", "cafe", "name", "Good"]).map { Int32($0) } + [0]
        let dense = PbfDenseNodes(
            ids: PBFFile.distances([7]), latitudes: PBFFile.distances([10_000_000]),
            longitudes: PBFFile.distances([20_000_000]), tags: tags)
        return PbfBlock(texts: PbfTexts(texts: texts.texts), groups: [PbfGroup(dense: dense)])
    }
}
