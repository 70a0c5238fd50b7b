import PhotoContracts
import Daemon
import EventLoops
import Glibc
import RPC
import TestSupport
import TestTools
import Testing

@testable import PhotoService

@Suite("P23 E11 The confined service and its decoders", .timeLimit(.minutes(2)), .enabled(if: PostgresServer.isOfFiles))
struct DecoderHostTests {
    @Test("read pictures, though the service may start no program; without their program it ends, to be started again")
    func confined() async throws {
        try await TemporaryFolder.with { folder in
            let files = try PictureFiles(folder)
            try files.write(try TestPicture.inHelsinki(.heic), to: "a.heic")
            let service = try await ServiceProcess.start(
                "photo-service", folder: folder, ["--data", "\(folder)/data", "--pictures", "\(folder)/pictures"])
            let host = try #require(DecoderTests.children(of: service.program.pid).first)
            try await TestClient.with(service.endpoint) { client in
                let photos = PhotoServiceClient(client)
                #expect(try await scan(photos).fileCount == 1)
                let photo = try await photos.getPhoto(GetPhotoRequest(id: "folder/a.heic"), options).photo
                #expect(photo?.width == 64)
                try files.write(try TestPicture.inHelsinki(.avif), to: "b.avif")
                kill(host, SIGKILL)
                _ = try? await scan(photos)
            }
            let end = try await service.program.end()
            #expect(end.code == 0)
        }
    }

    @Test("are not started by a service that can't find their program: it says so and ends")
    func missing() async throws {
        try await TemporaryFolder.with { folder in
            let copy = "\(folder)/photo-service"
            try WholeFile.write(try WholeFile.bytes(ProgramRun.path("photo-service")), to: copy)
            try #require(chmod(copy, 0o700) == 0)
            let end = try await ProgramRun.run(copy, ["--data", "\(folder)/data", "--key-file", "\(folder)/key"])
            #expect(end.code == 1)
            #expect(end.errors.contains("\(folder)/picture-decoder"), "\(end.errors)")
        }
    }

    private var options: CallOptions { ServiceProcess.options(of: "ann") }

    private func scan(_ photos: PhotoServiceClient) async throws -> ScanPicturesResponse {
        var last: ScanPicturesResponse?
        for try await answer in photos.scanPictures(ScanPicturesRequest(), options) { last = answer }
        return try #require(last)
    }
}
