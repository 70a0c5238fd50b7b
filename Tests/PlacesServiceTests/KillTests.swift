import PlaceContracts
import Files
import Glibc
import RPC
import TestSupport
import TestTools
import Testing
import Wire

@testable import PlacesService

@Suite("P13 A killed service")
struct KillTests {
    private static let near = NearbyRequest(centre: Coordinate(latitude: 1, longitude: 2), limit: 200)

    private static var options: CallOptions { ServiceProcess.options(of: "tester") }

    private func start(_ folder: TemporaryFolder) async throws -> ServiceProcess {
        try await ServiceProcess.start(
            "places-service", folder: folder.path,
            ["--data", folder.file("data"), "--bundled", "none", "--log-level", "error"])
    }

    private func upload(_ text: String, to places: PlacesServiceClient) async throws -> String {
        let bytes = Array(text.utf8)
        let begin = BeginImportRequest(dataset: "test", fileName: "a.csv", byteCount: UInt64(bytes.count))
        let id = try await places.beginImport(begin, Self.options).uploadId
        for start in stride(from: 0, to: bytes.count, by: Uploads.chunkBytes) {
            let chunk = Array(bytes[start..<min(start + Uploads.chunkBytes, bytes.count)])
            _ = try await places.writeImport(
                WriteImportRequest(uploadId: id, offset: UInt64(start), data: chunk), Self.options)
        }
        return id
    }

    @Test(
        "in the middle of an import has the old places when it is back, or all of the new, and no leftovers",
        arguments: ["reading", "writing"])
    func killed(phase: String) async throws {
        let folder = TemporaryFolder()
        let first = try await start(folder)
        try await TestClient.with(first.endpoint) { client in
            let places = PlacesServiceClient(client)
            let small = try await upload("id,name,lat,lon\n1,old,1,2\n", to: places)
            for try await _ in places.runImport(RunImportRequest(uploadId: small), Self.options) {}

            let rows = (0..<150_000).map { "\($0),new \($0),1,2\n" }.joined()
            let large = try await upload("id,name,lat,lon\n" + rows, to: places)
            for try await message in places.runImport(RunImportRequest(uploadId: large), Self.options) {
                if case .progress(let progress) = message.event, progress.phase == phase { break }
            }
            #expect(try await first.end(by: SIGKILL).code == 128 + SIGKILL)
        }

        let second = try await start(folder)
        try await TestClient.with(second.endpoint) { client in
            try await expectOldOrNew(PlacesServiceClient(client), folder.file("data"))
            #expect(try await second.end(by: SIGTERM).code == 0)
        }
    }

    private func expectOldOrNew(_ places: PlacesServiceClient, _ data: String) async throws {
        let names = try await places.nearby(Self.near, Self.options).places.map(\.name)
        let files = DatasetFiles.names(in: data + "/datasets/test")
        // The kill can come after the swap: then the import has happened, whole.
        if names == ["old"] {
            #expect(files == ["1.snapshot", "dataset.json"])
        } else {
            #expect(names.count == 200 && names.allSatisfy { $0.hasPrefix("new ") })
            #expect(files == ["2.snapshot", "dataset.json"])
        }
        #expect(try DiskFile.names(in: data + "/uploads").isEmpty)
        let error = await #expect(throws: RPCError.self) {
            try await places.nearby(Self.near, CallOptions(timeout: .seconds(30)))
        }
        #expect(error?.code == .unauthenticated)
    }
}
