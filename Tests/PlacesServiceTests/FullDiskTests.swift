import PlaceContracts
import Files
import Glibc
import RPC
import TestTools
import Testing
import Wire

@testable import PlacesService

@Suite("P13 A full disk", .enabled(if: PostgresServer.isOfFiles))
struct FullDiskTests {
    @Test(
        "costs the import, not the catalog, whether it fills while the file is read or while the dataset is written",
        .enabled(if: TinyDisk.isPossible, "needs to mount a tmpfs, as root"), arguments: [100 << 10, 5 << 20])
    func full(freeBytes: UInt64) async throws {
        let folder = TemporaryFolder()
        let disk = folder.path + "/data"
        mkdir(disk, 0o700)
        try await TinyDisk.with(bytes: 80 << 20, at: disk) { _ in try await expectRefusal(folder, disk, freeBytes) }
    }

    private func expectRefusal(_ folder: TemporaryFolder, _ disk: String, _ freeBytes: UInt64) async throws {
        let near = NearbyRequest(centre: Coordinate(latitude: 1, longitude: 2), limit: 1)
        try await TestService.run(in: folder) { service in
            try await service.load("id,name,lat,lon\n1,old,1,2\n", name: "a.csv")
            let large = try await service.refusal { client in
                try await client.beginImport(
                    BeginImportRequest(dataset: "test", fileName: "a.csv", byteCount: 30 << 20), TestService.soon)
            }
            #expect(
                large.code == .resourceExhausted && large.message.hasPrefix("there is no room on the catalog's disk"))

            let table = Array(("id,name,lat,lon\n" + (0..<60_000).map { "\($0),a,1,2\n" }.joined()).utf8)
            let id = try await service.upload(table, name: "a.csv")
            let filler = disk + "/filler"
            try fill(filler, leaving: freeBytes)
            let error = try await service.refusal { _ in try await service.runImport(id) }
            #expect(error.code == .resourceExhausted && error.message.hasPrefix("there is no room"), "\(error)")
            #expect(try await service.nearby(near).places.map(\.name) == ["old"])
            let kept = DatasetFiles.names(in: disk + "/datasets/test")
            #expect(kept == ["1.snapshot", "dataset.json"])

            unlink(filler)
            let story = try await service.load(table, name: "a.csv")
            #expect(story.summary?.dataset?.placeCount == 60_000)
        }
    }

    /// Writes a file until only `leaving` bytes are free.
    private func fill(_ path: String, leaving: UInt64) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(descriptor) }
        let free = try DiskFile.freeBytes(in: path)
        try #require(free > leaving)
        try #require(posix_fallocate(descriptor, 0, off_t(free - leaving)) == 0)
    }
}
