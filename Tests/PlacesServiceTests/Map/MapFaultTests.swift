import PlaceContracts
import EventLoops
import Files
import Glibc
import RPC
import Storage
import TestSupport
import TestTools
import Testing
import VectorTiles
import Wire

@testable import PlacesService

@Suite("P75 The map of an imported .osm.pbf, when something goes wrong", .serialized)
struct MapFaultTests {
    /// A town with so many buildings that its map takes a while, and megabytes.
    static let large = {
        var file = MapFile.town
        for index in 0..<60_000 {
            let north = 10.01 + Double(index % 250) / 5_000
            let east = 20.01 + Double(index / 250) / 5_000
            file.way(
                [(north, east), (north, east + 0.0001), (north + 0.0001, east + 0.0001)], closed: true,
                [("building", "yes")])
        }
        return file.bytes
    }()

    private static func expectOldMap(_ places: PlacesServiceClient, _ options: CallOptions) async throws {
        let id = TileID(WorldPoint(latitude: 10.004, longitude: 20.004), zoom: 14)
        let request = GetTileRequest(dataset: "test", zoom: 14, x: UInt32(id.x), y: UInt32(id.y))
        #expect(try await places.getTile(request, options).tile.isEmpty == false)
    }

    @Test(
        "a disk that fills while it is made costs the import, not the old map",
        .enabled(if: TinyDisk.isPossible && PostgresServer.isOfFiles, "needs to mount a tmpfs, as root"))
    func full() async throws {
        try await Self.onTinyDisk { service, disk in
            let id = try await service.upload(Self.large, name: "town.osm.pbf")
            let filler = disk + "/filler"
            let error = try await service.refusal { client in
                for try await _ in client.runImport(RunImportRequest(uploadId: id), TestService.soon) {
                    // It has begun. There is room for the nodes, and not for what is drawn.
                    if try DiskFile.exists(filler) { continue }
                    try TinyDisk.fill(filler, bytes: Int(try DiskFile.freeBytes(in: disk)) - 3 << 20)
                }
            }
            #expect(
                error.code == .resourceExhausted && error.message.contains("there is no room on the catalog's disk"),
                "\(error)")
            try await Self.expectOldMap(service.client, TestService.soon)
            #expect(
                DatasetFiles.names(in: disk + "/datasets/test")
                    == [
                        "1.snapshot", "1.snapshot.areas", "1.snapshot.osm.pbf", "1.snapshot.pmtiles", "dataset.json",
                    ])
        }
    }

    @Test(
        "an import that the disk has no room for is refused before it begins, with both numbers",
        .enabled(if: TinyDisk.isPossible && PostgresServer.isOfFiles, "needs to mount a tmpfs, as root"))
    func foretold() async throws {
        try await Self.onTinyDisk { service, disk in
            let bytes = Self.large
            let id = try await service.upload(bytes, name: "town.osm.pbf")
            let filler = disk + "/filler"
            try TinyDisk.fill(filler, bytes: Int(try DiskFile.freeBytes(in: disk)) - 3 * bytes.count)
            let free = try DiskFile.freeBytes(in: disk)
            let error = try await service.refusal { _ in try await service.runImport(id) }
            #expect(
                error.code == .resourceExhausted
                    && error.message.hasSuffix("take \(6 * bytes.count) bytes besides its file, \(free) are free"),
                "\(error)")
            try await Self.expectOldMap(service.client, TestService.soon)
            try TinyDisk.empty(filler)
            try await service.load(bytes, name: "town.osm.pbf")
        }
    }

    /// Runs `body` with a service that has a map of a town on a disk of 80 MiB, and the folder of that.
    private static func onTinyDisk(_ body: (TestService, String) async throws -> Void) async throws {
        let folder = TemporaryFolder()
        let disk = folder.path + "/data"
        mkdir(disk, 0o700)
        try await TinyDisk.with(bytes: 80 << 20, at: disk) { _ in
            try await TestService.run(in: folder) { service in
                try await service.load(MapFile.town.bytes, name: "town.osm.pbf")
                try await body(service, disk)
            }
        }
    }

    @Test(
        "a service that is killed meanwhile has the old map when it is back, or all of the new, and no leftovers",
        arguments: ["reading", "mapping", "writing"])
    func killed(phase: String) async throws {
        let folder = TemporaryFolder()
        let arguments = ["--data", folder.file("data"), "--bundled", "none", "--log-level", "error"]
        let first = try await ServiceProcess.start("places-service", folder: folder.path, arguments)
        try await TestClient.with(first.endpoint) { client in
            let places = PlacesServiceClient(client)
            for try await _ in try await Self.run(MapFile.town.bytes, places) {}
            for try await message in try await Self.run(Self.large, places) {
                if case .progress(let progress) = message.event, progress.phase == phase { break }
            }
            #expect(try await first.end(by: SIGKILL).code == 128 + SIGKILL)
        }
        let second = try await ServiceProcess.start("places-service", folder: folder.path, arguments)
        try await TestClient.with(second.endpoint) { client in
            try await Self.expectOldMap(PlacesServiceClient(client), ServiceProcess.options(of: "tester"))
            #expect(try await second.end(by: SIGTERM).code == 0)
        }
        let names = DatasetFiles.names(in: folder.file("data") + "/datasets/test")
        let snapshots = names.filter { $0.hasSuffix(".snapshot") }
        #expect(snapshots == ["1.snapshot"] || snapshots == ["2.snapshot"])
        #expect(names.count == 5 && names.contains("dataset.json"), "\(names)")
    }

    /// Uploads a file and begins its import.
    static func run(
        _ bytes: [UInt8], _ places: PlacesServiceClient, name: String = "a.osm.pbf"
    ) async throws -> ResponseStream<RunImportResponse> {
        var options: CallOptions { ServiceProcess.options(of: "tester") }
        let begin = BeginImportRequest(dataset: "test", fileName: name, byteCount: UInt64(bytes.count))
        let id = try await places.beginImport(begin, options).uploadId
        for start in stride(from: 0, to: bytes.count, by: Uploads.chunkBytes) {
            let chunk = Array(bytes[start..<min(start + Uploads.chunkBytes, bytes.count)])
            _ = try await places.writeImport(
                WriteImportRequest(uploadId: id, offset: UInt64(start), data: chunk), options)
        }
        return places.runImport(RunImportRequest(uploadId: id), options)
    }

    @Test(
        "replicas give the same tiles, whichever of them imported the file",
        .enabled(if: S3Server.isInstalled, "\(S3Server.hint)"), .timeLimit(.minutes(5)))
    func replicas() async throws {
        let name = "tiles-\(UInt64.random(in: 0 ... .max))"
        try await TestService.run(sharing: Sharing(name: name, replica: "one")) { first in
            try await TestService.run(sharing: Sharing(name: name, replica: "two")) { second in
                try await first.load(MapFile.town.bytes, name: "town.osm.pbf")
                let end = MonotonicTime.now + .seconds(120)
                while second.handler.catalog.view.datasets.isEmpty, .now < end { await Task.yield() }
                let here = try await MapImportTests.tile(first, 14, 10.004, 20.004)
                #expect(try await MapImportTests.tile(second, 14, 10.004, 20.004) == here && here != nil)
                // What a dataset still needs is not swept away.
                let blob = try #require(first.handler.catalog.view.datasets.first?.facts.tiles?.blob)
                let tiles = try #require(BlobName(blob))
                let needed = try await first.store.database.read { transaction throws(SQLError) in
                    try transaction.needed([tiles, BlobName(of: [1])])
                }
                #expect(needed == [tiles])
            }
        }
    }
}
