import Budgets
import Compression
import PlaceContracts
import FeatureFiles
import Synchronization
import TestTools
import Testing

@testable import PlacesService

@Suite("E17 imports whose caller has gone", .timeLimit(.minutes(5)))
struct StoppedImportTests {
    /// A file of which nothing comes.
    struct Shape: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let name: String
        let bytes: @Sendable () -> [UInt8]

        init(_ what: String, _ name: String, _ bytes: @escaping @Sendable () -> [UInt8]) {
            testDescription = what
            self.name = name
            self.bytes = bytes
        }
    }

    private static let count = 10_000
    static let shapes = [
        Shape("a gzip of empty members", "a.csv.gz") {
            Array(repeatElement(Compression.Gzip.pack([]), count: 400_000).joined())
        },
        Shape("nodes that are no places", "a.osm.pbf") {
            block(nodes: (1...Int64(count)).map { PbfNode(id: PBFFile.folded($0), keys: [1, 3], values: [2, 2]) })
        },
        Shape("ways that are no places", "a.osm.pbf") {
            block(ways: (1...Int64(count)).map { PbfWay(id: $0, keys: [1, 3], values: [2, 2]) })
        },
        Shape("relations that are no places", "a.osm.pbf") {
            block(relations: (1...Int64(count)).map { PbfRelation(id: $0, keys: [1, 3], values: [2, 2]) })
        },
        Shape("ways along houses without numbers", "a.osm.pbf") {
            block(ways: (1...Int64(count)).map { PbfWay(id: $0, keys: [4], values: [5], nodes: [2, 2, 2]) })
        },
    ]

    private static func block(
        nodes: [PbfNode] = [], ways: [PbfWay] = [], relations: [PbfRelation] = []
    ) -> [UInt8] {
        let texts = ["", "name", "rail", "railway", "addr:interpolation", "all"].map { Array($0.utf8) }
        return PBFFile(
            PbfBlock(
                texts: PbfTexts(texts: texts), groups: [PbfGroup(nodes: nodes, ways: ways, relations: relations)])
        ).bytes
    }

    /// Whose caller goes away when it has looked so often whether it is still there.
    private final class Leaving: ImportObserver {
        private let maximumLooks: Int
        private let count = Mutex(0)

        init(_ maximumLooks: Int) { self.maximumLooks = maximumLooks }

        var looks: Int { count.withLock { $0 } }

        var isStopped: Bool {
            count.withLock { count in
                count += 1
                return count > maximumLooks
            }
        }

        func progress(_ progress: ImportState) {}
        func badRow(_ line: UInt64, _ reason: String) {}
    }

    @Test("end at the next look, and look all the time, though nothing comes of what they read", arguments: shapes)
    func ends(_ shape: Shape) throws {
        let folder = TemporaryFolder()
        try WholeFile.write(shape.bytes(), to: folder.file(shape.name))
        let job = ImportJob(
            dataset: try #require(DatasetName("a")), path: folder.file(shape.name),
            format: try #require(FileFormat(fileName: shape.name)),
            facts: DatasetFacts(title: "", attribution: "", licence: ""))
        let observer = Leaving(50)
        do throws(PlacesError) {
            var reading = ImportReading(job, MemoryBudget(bytes: 256 << 20), observer)
            _ = try reading.build(folder.file("a.snapshot"))
            Issue.record("it was taken")
        } catch {
            #expect(error == .cancelled)
        }
        #expect(observer.looks == 51)
    }

    @Test("a way along houses that has more nodes than one can have is left out, and gives as many as it says else")
    func houses() throws {
        for count in [2_000, 2_001] {
            let nodes = (1...Int64(count)).map { id in
                PbfNode(
                    id: PBFFile.folded(id), keys: id == 1 || id == count ? [1, 3] : [],
                    values: id == 1 ? [2, 4] : id == count ? [5, 4] : [], latitude: PBFFile.folded(id))
            }
            let texts = ["", "addr:housenumber", "1", "addr:street", "Main St", "5", "addr:interpolation", "all"]
            let way = PbfWay(id: 1, keys: [6], values: [7], nodes: PBFFile.distances((1...Int64(count)).map { $0 }))
            let file = PBFFile(
                PbfBlock(
                    texts: PbfTexts(texts: texts.map { Array($0.utf8) }), groups: [PbfGroup(nodes: nodes, ways: [way])])
            )
            let ids = try ids(file.bytes)
            #expect(ids.count == (count == 2_000 ? 5 : 2), "\(ids)")
        }
    }

    private func ids(_ bytes: [UInt8]) throws -> [String] {
        let folder = TemporaryFolder()
        try WholeFile.write(bytes, to: folder.file("a.osm.pbf"))
        let file = try FileSource(path: folder.file("a.osm.pbf"))
        var rows = OSMRows(file, try OSMGeometry(folder: folder.path), largestUpload: 1 << 30)
        var (row, ids) = (PlaceRow(), [String]())
        while let event = try rows.next(&row) {
            if case .row = event { ids.append(row.id ?? "") }
        }
        return ids
    }
}
