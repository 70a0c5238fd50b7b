import Daemon
import Geo
import Glibc
import PlaceContracts
import TestTools
import Testing

@testable import PlacesService

/// WAYMARK_REVERSE_RATE=FILE.osm.pbf measures on that extract and on the bundled towns:
/// `WAYMARK_REVERSE_RATE=… script/test --filter ReverseRate`.
@Suite("What it costs to say where a point is")
struct ReverseRateTests {
    private static let path = getenv("WAYMARK_REVERSE_RATE").map { String(cString: $0) }
    private static let count = 20_000

    @Test("in microseconds, over points of the extract and over towns of the world", .enabled(if: path != nil))
    func rate() async throws {
        let folder = TemporaryFolder()
        let catalog = try Catalog(root: folder.path)
        let imports = ImportQueue(catalog)
        let log = Log(service: "test", level: .error)
        await BundledData(BundledDataTests.folder).install(in: catalog, by: imports, log)
        let job = ImportJob(
            dataset: try #require(DatasetName("extract")), path: try #require(Self.path), format: .osmPBF,
            facts: DatasetFacts(title: "", attribution: "", licence: ""))
        let before = clock()
        let outcome = try await imports.run(job, Quiet())
        print("import: \((clock() - before) / 1000) ms of processors, \(outcome.tally)")
        let world = try WorldAreas.bundled()
        let extract = try points(of: outcome.dataset.snapshot)
        let ofTowns = catalog.view.datasets.first { $0.name.description == "towns" }
        let towns = try points(of: try #require(ofTowns).snapshot)
        for (name, points) in [("in the extract", extract), ("near towns", towns)] {
            print("\(name): \(try microseconds(points, catalog.view, world)) microseconds")
        }
    }

    private func points(of snapshot: Snapshot) throws -> [Geo.Coordinate] {
        var random = SeededGenerator(seed: 5)
        return try (0..<Self.count).map { _ in
            let place = try snapshot.coordinate(of: UInt32.random(in: 0..<UInt32(snapshot.count), using: &random))
            return try Geo.Coordinate(
                latitude: max(-89, min(89, place.latitude + .random(in: -0.002...0.002, using: &random))),
                longitude: max(-180, min(180, place.longitude + .random(in: -0.002...0.002, using: &random))))
        }
    }

    private func microseconds(_ points: [Geo.Coordinate], _ view: CatalogView, _ world: WorldAreas) throws -> Double {
        let scratch = SearchScratch()
        var bytes = 0
        func all() throws {
            for point in points {
                let place = try Whereabouts(of: point, in: view, world, scratch, checkpoint: { _ in })
                let spot = try NearestSpot(
                    at: point, place.inside, in: view, languages: [], scratch, checkpoint: { _ in })
                bytes += ReverseGeocodeResponse(place, spot, []).name.utf8.count
            }
        }
        try all()
        let before = clock()
        try all()
        let spent = Double(clock() - before) / Double(CLOCKS_PER_SEC) * 1e6
        #expect(bytes > 0)
        return (spent / Double(points.count) * 10).rounded() / 10
    }

    private struct Quiet: ImportObserver {
        let isStopped = false
        func progress(_ progress: ImportState) {}
        func badRow(_ line: UInt64, _ reason: String) { print("line \(line): \(reason)") }
    }
}
