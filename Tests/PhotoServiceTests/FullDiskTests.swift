import PhotoContracts
import RPC
import Storage
import TestTools
import Testing

@testable import PhotoService

@Suite("P26 A full disk")
struct FullDiskTests {
    @Test(
        "is UNAVAILABLE with a sentence, reading goes on, and nothing that was acknowledged is lost",
        .enabled(if: PostgresServer.isOfFiles))
    func allowedSize() async throws {
        try await TemporaryFolder.with { folder in
            var settings = DatabaseSettings()
            settings.maximumBytes = 600_000
            let kept = try await RunningPhotoService.with(folder: folder, settings: settings) { service in
                let kept = try await fill(service)
                try await expectAll(kept, service)
                return kept
            }
            try await RunningPhotoService.with(folder: folder) { service in
                try await expectAll(kept, service)
                _ = try await service.put(photo("mine/more"))
            }
        }
    }

    @Test(
        "takes photos again once there is room, without a restart",
        .enabled(if: PostgresServer.isOfFiles && TinyDisk.isPossible))
    func realDisk() async throws {
        try await TinyDisk.with(bytes: 2_000_000) { folder in
            try TinyDisk.fill("\(folder)/ballast", bytes: 500_000)
            try await RunningPhotoService.with(folder: folder) { service in
                let kept = try await fill(service)
                try TinyDisk.empty("\(folder)/ballast")
                let more = photo("mine/room-again")
                #expect(try await service.put(more) == more)
                try await expectAll(kept + [more], service)
            }
        }
    }

    /// Puts photos, a degree apart, until there is no room; gives those that were acknowledged.
    private func fill(_ service: RunningPhotoService) async throws -> [PhotoContracts.Photo] {
        var kept: [PhotoContracts.Photo] = []
        for number in 0..<20_000 {
            let given = photo("mine/\(number)", Double(number / 360 - 50), Double(number % 360 - 180)) { photo in
                photo.title = String(repeating: "x", count: 2_000)
            }
            do {
                _ = try await service.put(given)
                kept.append(given)
            } catch {
                let error = try #require(error as? RPCError)
                #expect(error.code == .resourceExhausted)
                #expect(error.message.contains("full"))
                return kept
            }
        }
        Issue.record("the disk never got full")
        return kept
    }

    private func expectAll(_ photos: [PhotoContracts.Photo], _ service: RunningPhotoService) async throws {
        #expect(photos.count > 20)
        for photo in photos {
            let request = PhotosNearRequest(centre: photo.position, radiusM: 0)
            var found = photo
            found.distanceM = 0
            #expect(try await service.photos.photosNear(request, service.options).photos == [found])
        }
    }
}
