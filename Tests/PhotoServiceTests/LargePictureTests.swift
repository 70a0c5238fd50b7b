import PhotoContracts
import RPC
import Storage
import TestSupport
import TestTools
import Testing

@testable import PhotoService

@Suite("P22 Large pictures take bounded room")
struct LargePictureTests {
    private func files(_ count: Int, _ folder: String) throws -> PictureFiles {
        let files = try PictureFiles(folder)
        for number in 0..<count {
            let picture = TestJPEG(width: 800, height: 600)
            try files.add("\(number).jpg", 60 + Double(number) / 10_000, picture, shade: UInt8(number * 20))
        }
        return files
    }

    private func large(_ number: Int, _ service: RunningPhotoService) async throws -> PictureInfo {
        try await service.picture("folder/\(number).jpg", .large).info
    }

    private func stored(_ service: RunningPhotoService) async throws -> [String] {
        try await service.store.read { transaction throws(SQLError) in
            try transaction.rows("SELECT photo_id FROM pictures WHERE size = 2 ORDER BY photo_id") {
                row throws(SQLError) in try row.text(0)
            }
        }
    }

    @Test("the oldest go when there are too many, their bytes at once, and are made again the same")
    func bounded() async throws {
        try await TemporaryFolder.with { folder in
            _ = try files(4, folder)
            let clock = ManualClock()
            let first = try await RunningPhotoService.working(in: folder, clock: clock.clock) { service in
                _ = try await service.scan()
                return try await large(0, service)
            }
            // There is room for three of about this size: the fourth drives the first one out.
            let limit = first.byteCount * 7 / 2
            let arguments = ["--large-bytes", "\(limit)"]
            try await RunningPhotoService.working(in: folder, arguments: arguments, clock: clock.clock) { service in
                for number in 1..<4 {
                    clock.move(by: 1_000)
                    _ = try await large(number, service)
                }
                let kept = try await stored(service)
                #expect(kept.last == "folder/3.jpg")
                #expect(!kept.contains("folder/0.jpg"))
                #expect(try await service.hasJPEGs(kept.count))
                #expect(try await large(0, service) == first)
            }
        }
    }

    @Test("one that is larger than all the room is given, and stays until the next one comes")
    func tooLarge() async throws {
        try await TemporaryFolder.with { folder in
            _ = try files(2, folder)
            try await RunningPhotoService.working(in: folder, arguments: ["--large-bytes", "0"]) { service in
                _ = try await service.scan()
                for number in 0..<2 {
                    _ = try await large(number, service)
                    #expect(try await stored(service) == ["folder/\(number).jpg"])
                    #expect(try await service.hasJPEGs(1))
                }
            }
        }
    }

    @Test("bytes that another photo needs too stay")
    func shared() async throws {
        try await TemporaryFolder.with { folder in
            let files = try files(3, folder)
            try files.write(try files.bytes("0.jpg") + [0], to: "1.jpg")
            let clock = ManualClock()
            try await RunningPhotoService.working(in: folder, clock: clock.clock) { service in
                _ = try await service.scan()
                for number in 0..<2 { #expect(try await large(number, service).byteCount > 0) }
                let names = try await service.store.write { transaction throws(SQLError) in
                    let id = try transaction.folderPhotos(after: "folder/1", limit: 1)
                    return try transaction.evictLarge(limit: 0, but: id[0])
                }
                #expect(names.isEmpty)
                #expect(try await stored(service) == ["folder/1.jpg"])
            }
        }
    }

    @Test("one whose bytes vanished is made again")
    func vanished() async throws {
        try await TemporaryFolder.with { folder in
            _ = try files(1, folder)
            try await RunningPhotoService.working(in: folder) { service in
                _ = try await service.scan()
                let made = try await large(0, service)
                #expect(try await service.blobs.remove(try #require(BlobName(made.sha256))))
                #expect(try await service.keptJPEGs().isEmpty)
                #expect(try await large(0, service) == made)
                #expect(try await service.keptJPEGs().count == 1)
            }
        }
    }
}
