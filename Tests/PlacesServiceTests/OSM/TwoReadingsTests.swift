import PlaceContracts
import FeatureFiles
import TestTools
import Testing
import Wire

@testable import PlacesService

@Suite("P13 The readings of an .osm.pbf")
struct TwoReadingsTests {
    /// The tags of a block's elements, by what they are for.
    private enum Tags {
        static let park = ["leisure", "park", "name", "Park", "type", "multipolygon"]
        static let first = ["addr:street", "Street", "addr:housenumber", "1"]
        static let last = ["addr:street", "Street", "addr:housenumber", "7"]
        static let houses = ["addr:interpolation", "odd"]
    }

    private static func element(_ texts: inout BlockTexts, _ tags: [String]) -> (keys: [UInt32], values: [UInt32]) {
        let numbers = texts.numbers(tags)
        return (
            numbers.indices.filter { $0.isMultiple(of: 2) }.map { numbers[$0] },
            numbers.indices.filter { !$0.isMultiple(of: 2) }.map { numbers[$0] }
        )
    }

    private static func nodes(from id: Int64, _ tags: [[String]]) -> PbfBlock {
        var texts = BlockTexts()
        let nodes = tags.enumerated().map { index, tags in
            let (keys, values) = element(&texts, tags)
            // Every other one lies further north, so that a ring of four has an inside.
            return PbfNode(
                id: PBFFile.folded(id + Int64(index)), keys: keys, values: values,
                latitude: PBFFile.folded(10_000_000 + Int64(index % 2) * 1000),
                longitude: PBFFile.folded(20_000_000 + Int64(index) * 1000))
        }
        return PbfBlock(texts: PbfTexts(texts: texts.texts), groups: [PbfGroup(nodes: nodes)])
    }

    private static func way(_ id: Int64, _ nodes: [Int64], _ tags: [String] = []) -> PbfBlock {
        var texts = BlockTexts()
        let (keys, values) = element(&texts, tags)
        let way = PbfWay(id: id, keys: keys, values: values, nodes: PBFFile.distances(nodes))
        return PbfBlock(texts: PbfTexts(texts: texts.texts), groups: [PbfGroup(ways: [way])])
    }

    private static func relation(_ id: Int64, of way: Int64, _ tags: [String]) -> PbfBlock {
        var texts = BlockTexts()
        let (keys, values) = element(&texts, tags)
        let relation = PbfRelation(
            id: id, keys: keys, values: values, roles: [0], members: PBFFile.distances([way]), kinds: [1])
        return PbfBlock(texts: PbfTexts(texts: texts.texts), groups: [PbfGroup(relations: [relation])])
    }

    /// What is found in a file of these blobs, and which of them are read twice, told by the bytes that are taken.
    private static func read(_ blocks: [PbfBlock]) throws -> (ids: [String], twice: Set<Int>) {
        var (file, sizes) = (PBFFile(), [UInt64]())
        for block in blocks {
            // Distinct powers of two, so that their sum says which they are.
            let padding = PbfBlob(raw: block.packedBytes() + padding(of: 1 << (10 + sizes.count), block))
            file.add("OSMData", padding)
            sizes.append(UInt64(padding.packedBytes().count))
        }
        let folder = TemporaryFolder()
        try WholeFile.write(file.bytes, to: folder.file("a.osm.pbf"))
        let source = try FileSource(path: folder.file("a.osm.pbf"))
        var rows = OSMRows(source, try OSMGeometry(folder: folder.path), largestUpload: 1 << 30)
        var (row, ids) = (PlaceRow(), [String]())
        while let event = try rows.next(&row) {
            if case .row = event { ids.append(row.id ?? "") }
        }
        #expect(source.takenBytes == source.totalBytes)
        var (rest, twice) = (source.takenBytes - source.byteCount, Set<Int>())
        for index in sizes.indices.reversed() where rest >= sizes[index] {
            rest -= sizes[index]
            twice.insert(index)
        }
        #expect(rest == 0)
        return (ids, twice)
    }

    /// A field that no block has, by which it has so many bytes.
    private static func padding(of byteCount: Int, _ block: PbfBlock) -> [UInt8] {
        let count = byteCount - block.packedBytes().count - 3
        return [0x7a, UInt8(count & 0x7f) | 0x80, UInt8(count >> 7)] + [UInt8](repeating: 0, count: count)
    }

    @Test("take blobs with ways twice, those with nodes or relations once")
    func once() throws {
        let found = try Self.read([
            Self.nodes(from: 1, [[], [], [], []]), Self.way(1, [1, 2, 4, 3, 1]), Self.relation(1, of: 1, Tags.park),
        ])
        #expect(found.ids == ["relation/1"] && found.twice == [1])
    }

    @Test("take blobs with nodes again that have the numbers of a way along houses, and no others")
    func numbers() throws {
        let found = try Self.read([
            Self.nodes(from: 1, [Tags.first, []]), Self.nodes(from: 11, [Tags.first, Tags.last]),
            Self.nodes(from: 21, [[], []]), Self.way(1, [11, 21, 12], Tags.houses),
        ])
        #expect(found.ids == ["node/1", "node/11", "node/12", "way/1/3", "way/1/5"] && found.twice == [1, 3])
    }
}
