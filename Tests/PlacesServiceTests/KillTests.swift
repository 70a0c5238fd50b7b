import Contracts
import Glibc
import RPC
import Testing
import Wire

@testable import PlacesService

@Suite(
    "P13 A killed service",
    .enabled(if: ServiceProcess.program != nil, "needs the program places-service beside the tests"))
struct KillTests {
    private static let near = NearbyRequest(centre: Coordinate(latitude: 1, longitude: 2), limit: 200)

    private func upload(_ text: String, to service: ServiceProcess) async throws -> String {
        let bytes = Array(text.utf8)
        let begin = BeginImportRequest(dataset: "test", fileName: "a.csv", byteCount: UInt64(bytes.count))
        let id = try await service.client.beginImport(begin, service.options).uploadId
        for start in stride(from: 0, to: bytes.count, by: Uploads.chunkBytes) {
            let chunk = Array(bytes[start..<min(start + Uploads.chunkBytes, bytes.count)])
            _ = try await service.client.writeImport(
                WriteImportRequest(uploadId: id, offset: UInt64(start), data: chunk), service.options)
        }
        return id
    }

    @Test(
        "in the middle of an import has the old places when it is back, or all of the new, and no leftovers",
        arguments: ["reading", "writing"])
    func killed(phase: String) async throws {
        let folder = try TemporaryFolder()
        let data = folder.path + "/data"
        let key = (0..<32).map { UInt8($0) }
        let first = try ServiceProcess(data: data, key: key)
        let small = try await upload("id,name,lat,lon\n1,old,1,2\n", to: first)
        for try await _ in first.client.runImport(RunImportRequest(uploadId: small), first.options) {}

        let rows = (0..<150_000).map { "\($0),new \($0),1,2\n" }.joined()
        let large = try await upload("id,name,lat,lon\n" + rows, to: first)
        do {
            for try await message in first.client.runImport(RunImportRequest(uploadId: large), first.options) {
                if case .progress(let progress) = message.event, progress.phase == phase { break }
            }
        }
        #expect(await first.end(SIGKILL) == SIGKILL)

        let second = try ServiceProcess(data: data, key: key)
        let names = try await second.client.nearby(Self.near, second.options).places.map(\.name)
        let files = DiskFile.names(in: data + "/datasets/test")
        // The kill can come after the swap: then the import has happened, whole.
        if names == ["old"] {
            #expect(files == ["1.snapshot", "dataset.json"])
        } else {
            #expect(names.count == 200 && names.allSatisfy { $0.hasPrefix("new ") })
            #expect(files == ["2.snapshot", "dataset.json"])
        }
        #expect(DiskFile.names(in: data + "/uploads").isEmpty)
        let error = await #expect(throws: RPCError.self) {
            try await second.client.nearby(Self.near, CallOptions(timeout: .seconds(30)))
        }
        #expect(error?.code == .unauthenticated)
        #expect(await second.end(SIGTERM) == 0)
    }
}
