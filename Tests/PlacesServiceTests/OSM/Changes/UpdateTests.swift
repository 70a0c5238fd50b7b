import Bytes
import EventLoops
import Files
import Geo
import PlaceContracts
import RPC
import TestSupport
import TestTools
import Testing
import Wire

@testable import PlacesService

@Suite("P65 A dataset that is brought up to date")
struct UpdateTests {
    /// 2026-05-01, when the file was written.
    private static let written: Int64 = 1_777_593_600
    private static let nodes: [OSMElement] = [
        .node(1, 10, 20, [("amenity", "cafe"), ("name", "First")]), .node(2, 10.001, 20), .node(3, 10.001, 20.001),
        .node(4, 10, 20.001),
    ]
    private static let base =
        nodes + [
            .way(1, [1, 2, 3, 4, 1], [("leisure", "park"), ("name", "Park")]),
            .way(2, [2, 3], [("highway", "residential"), ("name", "High Street")]),
        ]
    private static let after: [OSMElement] = [
        .node(1, 10.0005, 20, [("amenity", "cafe"), ("name", "First & Last")]), base[1], .node(3, 10.002, 20.002),
        base[3], .node(9, 10, 20.0005, [("amenity", "bar"), ("name", "New")]), base[4],
    ]

    private static func file(_ elements: [OSMElement]) -> [UInt8] {
        let header = PbfHeader(
            replicationTimestamp: written, replicationSequenceNumber: 40, replicationBaseUrl: "https://x.example/a")
        return PBFFile(elements, header: header).bytes
    }

    private static var changes: ChangeFile {
        var changes = ChangeFile()
        changes.modify(after[0], at: "2026-05-01T10:00:00Z")
        changes.modify(after[2], at: "2026-05-01T11:00:00Z")
        changes.create(after[4], at: "2026-05-01T12:00:00Z")
        changes.delete(.way, 2, at: "2026-05-01T13:00:00Z")
        return changes
    }

    private static func update(
        _ service: TestService, _ text: String, name: String = "1.osc", into dataset: String = "test"
    ) async throws -> ImportStory {
        try await service.load(text, into: dataset, name: name)
    }

    private static func dataset(_ service: TestService) async throws -> PlaceContracts.Dataset {
        try #require(try await service.client.listDatasets(ListDatasetsRequest(), TestService.soon).datasets.first)
    }

    /// All that a dataset answers searches from: its places, its map and its areas.
    private static func files(_ service: TestService) throws -> [[UInt8]] {
        let folder = service.folder.path + "/data/datasets/test"
        return try DiskFile.names(in: folder).filter { !$0.ends(with: ".json") && !$0.ends(with: ".osm.pbf") }.sorted()
            .map { try WholeFile.bytes("\(folder)/\($0)") }
    }

    @Test("is what an import of the file with the changes gives, byte for byte, and so after each of many updates")
    func same() async throws {
        let fresh = try await TestService.run { service in
            try await service.load(Self.file(Self.after), name: "a.osm.pbf")
            return try Self.files(service)
        }
        try await TestService.run { service in
            try await service.load(Self.file(Self.base), name: "a.osm.pbf")
            #expect(try await Self.dataset(service).placeCount == 3)
            let story = try await Self.update(service, Self.changes.text)
            #expect(story.badRows.isEmpty && story.summary?.dataset?.placeCount == 3)
            #expect(try Self.files(service) == fresh)
            let source = try #require(try await Self.dataset(service).source)
            #expect(source.dataTime == TimestampMessage(unixSeconds: 1_777_640_400))
            #expect(source.updatesUrl == "https://x.example/a" && source.sequenceNumber == 40)
            // Back to what it was.
            var back = ChangeFile()
            for element in [Self.base[0], Self.base[2]] { back.modify(element, at: "2026-05-02T10:00:00Z") }
            back.create(Self.base[5], at: "2026-05-02T10:00:00Z")
            back.delete(.node, 9, at: "2026-05-02T10:00:00Z")
            _ = try await Self.update(service, back.text)
            let second = try await TestService.run { other in
                try await other.load(Self.file(Self.base), name: "a.osm.pbf")
                return try Self.files(other)
            }
            #expect(try Self.files(service) == second)
        }
    }

    @Test("takes several files at once, packed or not, in their order, and keeps its title and its licence")
    func several() async throws {
        try await TestService.run { service in
            let begun = try await service.upload(Self.file(Self.base), name: "a.osm.pbf")
            _ = try await service.runImport(begun)
            var second = ChangeFile()
            second.modify(.node(9, 10, 20.0005, [("amenity", "bar"), ("name", "Newer")]), at: "2026-05-02T10:00:00Z")
            let ids = [
                try await service.upload(try Gzip.pack(Array(Self.changes.text.utf8)), name: "1.osc.gz"),
                try await service.upload(Array(second.text.utf8), name: "2.osc"),
            ]
            let story = try await service.runImport(ids[1], behind: [ids[0]])
            #expect(story.summary?.dataset?.placeCount == 3)
            let near = NearbyRequest(centre: Coordinate(latitude: 10, longitude: 20.0005), radiusM: 500, limit: 10)
            let names = try await service.nearby(near).places.map(\.name)
            #expect(Set(names) == ["First & Last", "Newer", "Park"])
            let dataset = try await Self.dataset(service)
            #expect(dataset.attribution == "© OpenStreetMap contributors" && dataset.licence == "ODbL-1.0")
            #expect(try await service.uploadCount() == 0)
        }
    }

    @Test("refuses changes that it has already, and says when some seem to be missing")
    func times() async throws {
        try await TestService.run { service in
            try await service.load(Self.file(Self.base), name: "a.osm.pbf")
            _ = try await Self.update(service, Self.changes.text)
            let again = try await service.refusal { _ in try await Self.update(service, Self.changes.text) }
            #expect(again.code == .invalidArgument && again.message.contains("has all until 2026-05-01T13:00:00Z"))
            var late = ChangeFile()
            late.modify(Self.after[0], at: "2026-05-09T10:00:00Z")
            let story = try await Self.update(service, late.text)
            #expect(story.badRows.count == 1 && story.badRows[0].reason.contains("missing?"))
        }
    }

    @Test("a dataset without such a file, or none at all, is not changed")
    func without() async throws {
        try await TestService.run { service in
            try await service.load("id,name,lat,lon\n1,a,1,2\n", name: "a.csv")
            let refused = try await service.refusal { _ in try await Self.update(service, Self.changes.text) }
            #expect(refused.code == .failedPrecondition && refused.message.contains("import its file again"))
            let missing = try await service.refusal { _ in
                try await Self.update(service, Self.changes.text, into: "other")
            }
            #expect(missing.code == .notFound)
            #expect(try await Self.dataset(service).placeCount == 1)
            // As an earlier version leaves it.
            try await service.load(Self.file(Self.base), name: "a.osm.pbf")
            guard service.replica == nil else { return }
            try DiskFile.remove(service.folder.path + "/data/datasets/test/2.snapshot.osm.pbf")
            let gone = try await service.refusal { _ in try await Self.update(service, Self.changes.text) }
            #expect(gone.code == .failedPrecondition && gone.message.contains("import its file again"))
        }
    }

    @Test("does not come back when it is deleted meanwhile")
    func deleted() async throws {
        try await TestService.run { service in
            guard service.replica == nil else { return }
            try await service.load(Self.file(Self.base), name: "a.osm.pbf")
            let catalog = service.handler.catalog
            let dataset = try #require(catalog.view.datasets.first)
            let copy = try WholeFile.bytes(dataset.snapshot.path)
            #expect(throws: PlacesError.replaced(dataset.name)) {
                try catalog.install(dataset.name, insteadOf: dataset.snapshot) { path throws(PlacesError) in
                    try PlacesError.converting("a copy") { () throws(SystemError) in
                        try DiskFile.create(path, with: copy)
                    }
                    _ = try catalog.delete(dataset.name)
                    return (DatasetFacts(title: "", attribution: "", licence: ""), ())
                }
            }
            #expect(catalog.view.datasets.isEmpty)
            #expect(try catalog.isDeleted(dataset.name))
        }
    }

    @Test("a file of changes that is cut short leaves the dataset and its file as they were")
    func cut() async throws {
        try await TestService.run { service in
            try await service.load(Self.file(Self.base), name: "a.osm.pbf")
            let (before, dataset) = (try Self.files(service), try await Self.dataset(service))
            let text = Self.changes.text
            for end in [10, text.utf8.count / 2, text.utf8.count - 5] {
                let part = String(decoding: text.utf8.prefix(end), as: UTF8.self)
                let error = try await service.refusal { _ in try await Self.update(service, part) }
                #expect(error.code == .invalidArgument)
            }
            let now = try await Self.dataset(service)
            #expect(try Self.files(service) == before && now == dataset)
            _ = try await Self.update(service, text)
            #expect(try Self.files(service) != before)
        }
    }

    @Test(
        "can be brought up to date at another replica than the one that imported it",
        .enabled(if: S3Server.isInstalled, "\(S3Server.hint)"))
    func replicas() async throws {
        let name = "places-\(UInt64.random(in: 0 ... .max))"
        try await TestService.run(sharing: Sharing(name: name, replica: "one")) { first in
            try await TestService.run(sharing: Sharing(name: name, replica: "two")) { second in
                try await first.load(Self.file(Self.base), name: "a.osm.pbf")
                let story = try await Self.update(second, Self.changes.text)
                #expect(story.summary?.dataset?.placeCount == 3)
                var more = ChangeFile()
                more.delete(.node, 9, at: "2026-05-02T10:00:00Z")
                let last = try await Self.update(first, more.text)
                #expect(last.summary?.dataset?.placeCount == 2)
            }
        }
    }
}
