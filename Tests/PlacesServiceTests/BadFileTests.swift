import Budgets
import PlaceContracts
import Files
import RPC
import TestTools
import Testing
import Wire

@testable import PlacesService

@Suite("P13 Files that can't be imported")
struct BadFileTests {
    private static let head = "id,name,lat,lon\n"
    private static let request = NearbyRequest(centre: Coordinate(latitude: 1, longitude: 2), limit: 200)

    static let examples: [(name: String, bytes: [UInt8], says: String)] = [
        ("a.csv", Array("\u{feff}".utf8), "it is empty"),
        ("a.csv", Array(head.utf8), "it contains no place"),
        ("a.csv", Array("id,name\n1,a\n".utf8), "no column is called lat, latitude, y; its columns are id, name"),
        ("a.csv", Array("id,name,lat,lon\n1,a\n".utf8), "no valid row; line 2: the row has 2 fields"),
        ("a.csv", Array("\"id,name".utf8), "its header can't be read: field 1 has no closing quote"),
        ("a.tsv", [0xff, 0xfe, 0x09, 0x0a], "no column is called name, title, label; its columns are"),
        ("a.geojson", Array("".utf8) + [0x20], "it is no JSON"),
        ("a.geojson", Array("{}".utf8), "it has no feature"),
        ("a.geojson", Array("[1]".utf8), "its list of features contains a number"),
        ("a.geojson", Array("7".utf8) + [0x20], "it is a number"),
        ("a.geojson", Array("\"x\"".utf8), "it is a string"),
        ("a.geojson", Array(#"{"type":"Topology"}"#.utf8), "its type is neither FeatureCollection nor Feature"),
        ("a.geojson", Array(#"{"features":[1]}"#.utf8), "its list of features contains a number"),
        ("a.geojson", Array(#"{"features":[]}"#.utf8), "it contains no place"),
        ("a.geojson", Array(#"{"features":[{"id":"#.utf8), "it is no JSON"),
        ("a.geojson", Array(#"{"features":[}"#.utf8), "it is no JSON"),
        ("a.geojson", Array((#"{"x":"# + String(repeating: "[", count: 100_000)).utf8), "it has more than 64 levels"),
        ("a.geojson", Array((#"{"x":""# + String(repeating: "y", count: 9 << 20)).utf8), "a single value of more than"),
        ("a.csv.gz", [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3], "ends too early"),
        ("a.csv.gz", [0x1f, 0x8b, 9, 9, 9, 9, 9, 9, 9, 9], "compressed data is damaged"),
    ]

    @Test("are refused with a sentence, and the dataset stays as it was", arguments: examples.indices)
    func files(index: Int) async throws {
        let file = Self.examples[index]
        try await TestService.run { service in
            try await service.load(Self.head + "1,old,1,2\n", name: "a.csv")
            let error = try await service.refusal { _ in try await service.load(file.bytes, name: file.name) }
            #expect(error.code == .invalidArgument)
            #expect(error.message.contains(file.says), "\(error)")
            #expect(try await service.nearby(Self.request).places.map(\.name) == ["old"])
            try expectNoLeftovers(service, generations: ["1.snapshot"])
        }
    }

    @Test("E9 a small file of many good rows is refused before they fill the memory")
    func manyRows() throws {
        let folder = TemporaryFolder()
        let rows = Array(Self.head.utf8) + Array(repeatElement(Array("1,a,1,2\n".utf8), count: 2_000_000).joined())
        try WholeFile.write(try Gzip.pack(rows), to: folder.file("a.csv.gz"))
        let budget = MemoryBudget(bytes: 16 << 20)
        let job = ImportJob(
            dataset: try #require(DatasetName("a")), path: folder.file("a.csv.gz"), format: .csv,
            facts: DatasetFacts(title: "", attribution: "", licence: ""))
        do throws(PlacesError) {
            var reading = ImportReading(job, budget, Unobserved())
            _ = try reading.build(folder.file("a.snapshot"))
            Issue.record("it was taken")
        } catch {
            #expect("\(error)".contains("rows take all memory that is left to imports"), "\(error)")
        }
        #expect(budget.usage.most <= budget.limit && budget.usage.held == 0)
    }

    @Test("a compressed file that was cut short anywhere is refused")
    func truncatedGzip() async throws {
        let rows = (0..<3000).map { "\($0),place \($0 &* 7919 % 1009),1,2\n" }.joined()
        let packed = try Gzip.pack(Array((Self.head + rows).utf8))
        try await TestService.run { service in
            for end in stride(from: 3, to: packed.count, by: packed.count / 12) {
                let error = try await service.refusal { _ in
                    try await service.load(Array(packed[..<end]), name: "a.csv.gz")
                }
                #expect(error.code == .invalidArgument && error.message.contains("ends too early"), "\(end): \(error)")
            }
            var damaged = packed
            damaged[packed.count / 2] ^= 0x55
            let error = try await service.refusal { [damaged] _ in try await service.load(damaged, name: "a.csv.gz") }
            #expect(error.code == .invalidArgument)
            #expect(try await service.client.listDatasets(ListDatasetsRequest(), TestService.soon).datasets.isEmpty)
            #expect(try await service.load(packed, name: "renamed.csv").summary?.dataset?.placeCount == 3000)
            let twoMembers = try Gzip.pack(Array(Self.head.utf8)) + Gzip.pack(Array("1,a,1,2\n".utf8))
            #expect(try await service.load(twoMembers, name: "a.csv").summary?.dataset?.placeCount == 1)
        }
    }

    @Test("a small file that unpacks to more than the limit is refused")
    func gzipBomb() async throws {
        let packed = try Gzip.pack([UInt8](repeating: 0x20, count: 20 << 20))
        try await TestService.run(maximumImportBytes: 1 << 20) { service in
            let error = try await service.refusal { _ in try await service.load(packed, name: "a.csv.gz") }
            #expect(
                error.code == .invalidArgument && error.message.contains("unpacks to more than 1048576 bytes"),
                "\(error)")
        }
    }

    @Test("more bad rows than allowed end the import; a thousand are told, all are counted")
    func badRowLimit() async throws {
        let bad = (0..<1500).map { "\($0),,1,2\n" }.joined()
        try await TestService.run { service in
            try await service.load(Self.head + "1,old,1,2\n", name: "a.csv")
            let error = try await service.refusal { _ in try await service.load(Self.head + bad, name: "a.csv") }
            #expect(error.code == .invalidArgument)
            #expect(error.message == "the file has more than 1000 bad rows, the first one is line 2: it has no name")
            let none = try await service.refusal { _ in
                try await service.load(Self.head + "1,a,1,2\n2,,1,2\n", name: "a.csv", maximumBadRows: 0)
            }
            #expect(none.message == "the file has more than 0 bad rows, the first one is line 3: it has no name")
            let all = try await service.load(Self.head + bad + "1,new,1,2\n", name: "a.csv", maximumBadRows: .max)
            #expect(all.badRows.count == 1000 && all.summary?.badRowCount == 1500)
            #expect(try await service.nearby(Self.request).places.map(\.name) == ["new"])
        }
    }

    @Test("fields and records of any size cost their row only")
    func hugeFields() async throws {
        let rows = [
            "\(String(repeating: "i", count: 181)),a,1,2,", "2,a,1,2,\(String(repeating: "r", count: 66_000))",
            "3,a,1,2,\"\(String(repeating: "q", count: 300_000))\"",
            "4,good,1,2,\(String(repeating: "s", count: 60_000))",
        ]
        try await TestService.run { service in
            let story = try await service.load("id,name,lat,lon,note\n" + rows.joined(separator: "\n"), name: "a.csv")
            #expect(story.badRows.map(\.line) == [2, 3, 4])
            #expect(story.summary?.dataset?.placeCount == 1)
        }
    }

    @Test("a name of 10 MB costs its row only, in tables and in an .osm.pbf")
    func hugeNames() async throws {
        let name = String(repeating: "n", count: 10 << 20)
        var texts = BlockTexts()
        let node = PbfNode(keys: texts.numbers(["shop", "name"]), values: texts.numbers(["yes", name]))
        var elements = PBFFile(PbfBlock(texts: PbfTexts(texts: texts.texts), groups: [PbfGroup(nodes: [node])]))
        elements.add(.good)
        let files: [(name: String, bytes: [UInt8])] = [
            ("a.csv", Array("id,name,lat,lon\n1,\"\(name)\",1,2\n2,good,1,2\n".utf8)),
            ("a.tsv", Array("id\tname\tlat\tlon\n1\t\(name)\t1\t2\n2\tgood\t1\t2\n".utf8)),
            ("a.osm.pbf", elements.bytes),
        ]
        try await TestService.run { service in
            for file in files {
                let story = try await service.load(file.bytes, name: file.name)
                #expect(story.badRows.map(\.line) == [2] && story.summary?.dataset?.placeCount == 1, "\(file.name)")
            }
        }
    }

    @Test("random damage to good files never ends the service")
    func randomDamage() async throws {
        var numbers = SeededGenerator(seed: 77)
        try await TestService.run { service in
            for form in ImportTests.examples {
                for _ in 0..<60 {
                    var bytes = Array(form.text.utf8)
                    for _ in 0..<Int.random(in: 1...4, using: &numbers) {
                        bytes[Int.random(in: bytes.indices, using: &numbers)] = UInt8.random(
                            in: 0...255, using: &numbers)
                    }
                    do {
                        try await service.load(bytes, name: form.name)
                    } catch {
                        #expect((error as? RPCError)?.code == .invalidArgument, "\(error)")
                    }
                }
            }
            try await service.load(Self.head + "1,still here,1,2\n", name: "a.csv")
            #expect(try await service.nearby(Self.request).places.map(\.name) == ["still here"])
        }
    }

    private func expectNoLeftovers(_ service: TestService, generations: [String]) throws {
        let data = service.folder.path + "/data"
        #expect(try DiskFile.names(in: data + "/uploads").isEmpty)
        #expect(DatasetFiles.names(in: data + "/datasets/test") == generations + ["dataset.json"])
    }
}
