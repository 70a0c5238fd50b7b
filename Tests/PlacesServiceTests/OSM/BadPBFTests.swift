import Budgets
import PlaceContracts
import EventLoops
import FeatureFiles
import Files
import RPC
import TestTools
import Testing
import Wire

@testable import PlacesService

@Suite("P13 .osm.pbf files that can't be imported")
struct BadPBFTests {
    private static let old = "id,name,lat,lon\n1,old,1,2\n"
    private static let request = NearbyRequest(centre: Coordinate(latitude: 1, longitude: 2), limit: 200)

    private static func file(_ change: (inout PBFFile) -> Void) -> [UInt8] {
        var file = PBFFile()
        change(&file)
        return file.bytes
    }

    /// The good block with one thing wrong.
    private static func block(_ change: (inout PbfBlock, inout PbfDenseNodes) -> Void) -> [UInt8] {
        var block = PbfBlock.good
        var dense = block.groups[0].dense ?? PbfDenseNodes()
        change(&block, &dense)
        block.groups[0].dense = dense
        return PBFFile(block).bytes
    }

    private static func way(_ way: PbfWay) -> [UInt8] {
        block { block, _ in block.groups.append(PbfGroup(ways: [way])) }
    }

    private static func blob(_ blob: PbfBlob) -> [UInt8] { file { $0.add("OSMData", blob) } }

    private static let content = PbfBlock.good.packedBytes()
    private static let packed = PBFFile.deflated(content)
    private static let size = Int32(content.count)
    private static let (low, high) = (PBFFile.folded(.min), PBFFile.folded(.max))

    static let examples: [(bytes: [UInt8], says: String)] = [
        (Array("no pbf at all, but a text".utf8), "blob 1 at byte 0: its header has 1852776560 bytes"),
        (Array(PBFFile(.good).bytes.dropFirst(PBFFile().bytes.count)), "its type is \"OSMData\"; an .osm.pbf begins"),
        (PBFFile(features: ["DenseNodes", "HistoricalInformation"]).bytes, "knows \"HistoricalInformation\""),
        (PBFFile().bytes, "it contains no place"),
        (file { $0.add(header: PbfBlobHeader(type: "OSMData", datasize: -1).packedBytes(), []) }, "it says it has -1"),
        (file { $0.add(header: PbfBlobHeader(type: "x", datasize: 33 << 20).packedBytes(), []) }, "has 34603008 bytes"),
        (file { $0.add(header: PbfBlobHeader(type: "x", datasize: 9).packedBytes(), [1]) }, "the file ends within it"),
        (file { $0.add(header: [0xff, 0xff], []) }, "are not a packed waymark.osm.v1.PbfBlobHeader"),
        (file { $0.add(bytes: [0, 1, 0, 1]) }, "its header has 65537 bytes, at most 65536"),
        (file { $0.add(bytes: [0, 0]) }, "the file ends within it"),
        (blob(PbfBlob()), "it holds nothing; blobs that are packed by zlib or not at all"),
        (blob(PbfBlob(rawSize: 4, zstdData: [1])), "it is packed by Zstandard"),
        (blob(PbfBlob(rawSize: 4, lzmaData: [1])), "it is packed by LZMA"),
        (blob(PbfBlob(zlibData: packed)), "it says it unpacks to -1 bytes"),
        (blob(PbfBlob(rawSize: -5, zlibData: packed)), "it says it unpacks to -5 bytes"),
        (blob(PbfBlob(rawSize: .max, zlibData: packed)), "it says it unpacks to 2147483647 bytes"),
        (blob(PbfBlob(rawSize: size - 1, zlibData: packed)), "it unpacks to more than the \(size - 1) bytes"),
        (blob(PbfBlob(rawSize: size + 1, zlibData: packed)), "it unpacks to \(size) bytes, but says \(size + 1)"),
        (blob(PbfBlob(rawSize: size, zlibData: Array(packed.dropLast(5)))), "its compressed data is damaged"),
        (blob(PbfBlob(rawSize: size, zlibData: packed + [0])), "its compressed data is damaged"),
        (blob(PbfBlob(rawSize: size, zlibData: [])), "its compressed data is damaged"),
        (file { $0.add("OSMData", [0x0a, 0x7f]) }, "are not a packed waymark.osm.v1.PbfBlock"),
        (block { $1.latitudes = [] }, "its nodes have 1 ids, 0 latitudes, 1 longitudes"),
        (block { $1.ids += [2, 2] }, "its nodes have 3 ids, 1 latitudes"),
        (block { $1.tags.removeLast() }, "the tags of its nodes end too early"),
        (block { $1.tags = [1, 2, 0, 0] }, "its nodes have tags of more nodes than there are"),
        (block { $1.tags = [1] }, "the tags of its nodes end too early"),
        (block { $1.tags = [1, 99, 0] }, "an element names text 99, there are 5"),
        (block { $1.tags = [-1, 1, 0] }, "an element names text 4294967295"),
        (block { $1.latitudes = [high] }, "a coordinate does not fit in 64 bits"),
        (
            block {
                $0.granularity = .min; $1.longitudes = [low]
            }, "a coordinate does not fit in 64 bits"
        ),
        (block { block, _ in block.latitudeOffset = .max }, "a coordinate does not fit in 64 bits"),
        (
            block { $1 = PbfDenseNodes(ids: [high, high], latitudes: [0, 0], longitudes: [0, 0]) },
            "a delta-coded number does not fit in 64 bits"
        ),
        (way(PbfWay(id: 1, keys: [1, 3], values: [2])), "an element has 2 keys and 1 values"),
        (way(PbfWay(id: 1, keys: [1, 3], values: [2, 5])), "an element names text 5, there are 5"),
        (way(PbfWay(id: 1, keys: [1, 3], values: [2, 4], nodes: [low, low])), "does not fit in 64 bits"),
        (way(PbfWay(keys: [1, 3], values: [2, 4], nodes: [2], latitudes: [2])), "1 nodes, 1 latitudes, 0 longitudes"),
    ]

    @Test("are refused with the blob and what is wrong in it, and the dataset stays as it was")
    func files() async throws {
        try await TestService.run { service in
            try await service.load(Self.old, name: "a.csv")
            for (index, file) in Self.examples.enumerated() {
                let error = try await service.refusal { _ in try await service.load(file.bytes, name: "a.osm.pbf") }
                #expect(error.code == .invalidArgument && error.message.contains(file.says), "\(index): \(error)")
            }
            try await expectUntouched(service)
        }
    }

    @Test("a relation with members that contradict each other is refused when it is a place")
    func members() async throws {
        var texts = BlockTexts()
        let tags = texts.numbers(["type", "site", "leisure", "park", "name", "x"])
        let (keys, values) = ([tags[0], tags[2], tags[4]], [tags[1], tags[3], tags[5]])
        let examples: [(PbfRelation, String)] = [
            (PbfRelation(keys: keys, values: values, members: [2], kinds: [0]), "1 members with 0 roles"),
            (PbfRelation(keys: keys, values: values, roles: [0, 0], members: [2, 2], kinds: [0]), "2 members with 2"),
            (PbfRelation(keys: keys, values: values, roles: [-1], members: [2], kinds: [0]), "names text -1"),
            (
                PbfRelation(keys: keys, values: values, roles: [0, 0], members: [Self.low, 1], kinds: [0, 0]), "64 bits"
            ),
        ]
        try await TestService.run { service in
            for (relation, says) in examples {
                var file = PBFFile(.good)
                file.add(PbfBlock(texts: PbfTexts(texts: texts.texts), groups: [PbfGroup(relations: [relation])]))
                let error = try await service.refusal { [file] _ in
                    try await service.load(file.bytes, name: "a.osm.pbf")
                }
                #expect(error.message.contains("blob 3 at byte") && error.message.contains(says), "\(error)")
            }
        }
    }

    @Test("cut short at any byte, a file is refused or gives what its whole blobs hold")
    func truncated() throws {
        let folder = TemporaryFolder()
        let whole = StrangersFile.bytes
        let ends = Self.blobEnds(whole)
        #expect(ends.count == 4 && ends.last == whole.count)
        for end in 1..<whole.count {
            let outcome = Result { () throws(PlacesError) in try Self.read(Array(whole[..<end]), folder) }
            switch outcome {
            case .success: #expect(ends.contains(end), "\(end)")
            case .failure(.badFile(let reason)):
                #expect(
                    reason == "it contains no place" || reason.contains("the file ends within it"), "\(end): \(reason)")
            case .failure(let other): Issue.record("\(end): \(other)")
            }
        }
    }

    @Test("random damage gives an error or places, never a crash")
    func randomDamage() throws {
        let folder = TemporaryFolder()
        var numbers = SeededGenerator(seed: 4)
        var raw = PBFFile()
        raw.add(.good, .raw)
        for original in [StrangersFile.bytes, raw.bytes] {
            for _ in 0..<150 {
                var bytes = original
                for _ in 0..<Int.random(in: 1...3, using: &numbers) {
                    bytes[Int.random(in: bytes.indices, using: &numbers)] = .random(in: 0...255, using: &numbers)
                }
                let outcome = Result { () throws(PlacesError) in try Self.read(bytes, folder) }
                if case .failure(let error) = outcome {
                    guard case .badFile = error else {
                        Issue.record("\(error)")
                        return
                    }
                }
            }
        }
    }

    @Test("blobs of zeros, empty elements and ways that are named often take no more memory than is allowed")
    func bombs() async throws {
        let zeros = [UInt8](repeating: 0, count: 32 << 20)
        // Field 2 of a block with nothing in it, 16 million times; the same for its ways.
        let groups = (0..<(32 << 20)).map { $0 % 2 == 0 ? UInt8(0x12) : 0 }
        let files: [(bytes: [UInt8], says: String)] = [
            (
                Self.blob(PbfBlob(rawSize: 1 << 20, zlibData: PBFFile.deflated(zeros))),
                "it unpacks to more than the 1048576 bytes that it says"
            ),
            (Self.file { $0.add("OSMData", zeros) }, "are not a packed waymark.osm.v1.PbfBlock"),
            (Self.file { $0.add("OSMData", groups) }, "takes more memory than a message may use"),
            (
                Self.file { file in for _ in 0..<65 { file.add("OSMHeader", Self.padding) } },
                "the file unpacks to more than 67108864 bytes, which is the limit"
            ),
            (Self.oftenNamed, "relation/6: it has 11000000 nodes, at most 10000000 are allowed"),
        ]
        try await TestService.run(maximumImportBytes: 4 << 20) { service in
            try await service.load(Self.old, name: "a.csv")
            for (index, file) in files.enumerated() {
                let error = try await service.refusal { _ in try await service.load(file.bytes, name: "a.osm.pbf") }
                #expect(error.code == .invalidArgument && error.message.contains(file.says), "\(index): \(error)")
            }
            try await expectUntouched(service)
        }
    }

    /// An area that names a way eleven times, which names a node a million times: a kilobyte.
    private static var oftenNamed: [UInt8] {
        var texts = BlockTexts()
        let keys = texts.numbers(["type", "leisure", "name"])
        let values = texts.numbers(["multipolygon", "park", "Bomb"])
        let node = PbfNode(id: PBFFile.folded(7))
        let way = PbfWay(id: 5, nodes: PBFFile.distances([Int64](repeating: 7, count: 1_000_000)))
        let members = PBFFile.distances([Int64](repeating: 5, count: 11))
        let relation = PbfRelation(
            id: 6, keys: keys, values: values, roles: [Int32](repeating: 0, count: 11), members: members,
            kinds: [Int32](repeating: 1, count: 11))
        let group = PbfGroup(nodes: [node], ways: [way], relations: [relation])
        return PBFFile(PbfBlock(texts: PbfTexts(texts: texts.texts), groups: [group])).bytes
    }

    /// A field that no header has, 1 MiB long.
    private static let padding: [UInt8] = [0x7a, 0x80, 0x80, 0x40] + [UInt8](repeating: 0, count: 1 << 20)

    @Test("named relations that take more memory than is allowed are refused")
    func tooManyRelations() throws {
        let folder = TemporaryFolder()
        let path = folder.file("a.osm.pbf")
        try DiskFile.replace(path, with: StrangersFile.bytes)
        let geometry = try OSMGeometry(folder: folder.path)
        let relations = OSMRelations(maximumBytes: 100)
        var rows = OSMRows(
            try FileSource(path: path), geometry, largestUpload: 1 << 20, relations: relations)
        var row = PlaceRow()
        let error = #expect(throws: PlacesError.self) { while try rows.next(&row) != nil {} }
        #expect("\(try #require(error))".contains("take more than 100 bytes of memory"))
    }

    private func expectUntouched(_ service: TestService) async throws {
        #expect(try await service.nearby(Self.request).places.map(\.name) == ["old"])
        let data = service.folder.path + "/data"
        #expect(try DiskFile.names(in: data + "/uploads").isEmpty)
        #expect(DatasetFiles.names(in: data + "/datasets/test") == ["1.snapshot", "dataset.json"])
    }

    /// Where each blob ends.
    private static func blobEnds(_ bytes: [UInt8]) -> [Int] {
        var ends: [Int] = []
        var at = 0
        while at < bytes.count {
            let length = bytes[at..<(at + 4)].reduce(0) { $0 << 8 | Int($1) }
            let header = try? PbfBlobHeader(packed: bytes[(at + 4)..<(at + 4 + length)])
            at += 4 + length + Int(header?.datasize ?? 0)
            ends.append(at)
        }
        return ends
    }

    private static func read(_ bytes: [UInt8], _ folder: TemporaryFolder) throws(PlacesError) -> ImportTally {
        let path = folder.file("a.osm.pbf")
        try PlacesError.converting("the test's file") { () throws(SystemError) in
            try DiskFile.replace(path, with: bytes)
        }
        let facts = DatasetFacts(title: "", attribution: "", licence: "")
        guard let name = DatasetName("test") else { throw .noTowns }
        let job = ImportJob(dataset: name, path: path, format: .osmPBF, facts: facts)
        var reading = ImportReading(job, MemoryBudget(bytes: 1 << 30), Unobserved())
        return try reading.build(folder.file("a.snapshot"))
    }
}
