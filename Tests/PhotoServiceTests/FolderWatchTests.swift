import EventLoops
import Glibc
import PhotoContracts
import TestSupport
import TestTools
import Testing

@testable import PhotoService

@Suite("I9 A folder of pictures that is watched", .timeLimit(.minutes(3)))
struct FolderWatchTests {
    /// Waits until the folder's photos near 60, 25 are those.
    private func shows(_ ids: [String], _ service: RunningPhotoService) async throws -> Bool {
        let end = MonotonicTime.now + .seconds(60)
        while MonotonicTime.now < end {
            let near = try await service.photos.photosNear(PhotosNearRequest(60, 25, radius: 50_000), service.options)
            if near.photos.map(\.id).sorted() == ids { return true }
            await Task.yield()
        }
        return false
    }

    @Test("what is written, moved in or deleted is noticed without being asked for, in new folders too")
    func noticed() async throws {
        try await TemporaryFolder.with { folder in
            let files = try PictureFiles(folder)
            try files.add("1.jpg", 60.01)
            try await RunningPhotoService.working(in: folder, arguments: ["--pictures-every", "86400"]) { service in
                #expect(try await shows(["folder/1.jpg"], service))
                mkdir(files.path("new"), 0o700)
                mkdir(files.path("new/deep"), 0o700)
                try files.add("new/deep/2.jpg", 60.02)
                #expect(try await shows(["folder/1.jpg", "folder/new/deep/2.jpg"], service))
                try files.add("new/deep/3.part", 60.03)
                #expect(rename(files.path("new/deep/3.part"), files.path("new/deep/3.jpg")) == 0)
                files.remove("1.jpg")
                #expect(try await shows(["folder/new/deep/2.jpg", "folder/new/deep/3.jpg"], service))
            }
        }
    }

    @Test("what its disk does not report is found when all of it is looked through")
    func lookedThrough() async throws {
        try await TemporaryFolder.with { folder in
            let files = try PictureFiles(folder)
            try files.add("1.jpg", 60.01)
            try files.add("2.jpg", 60.02)
            try await RunningPhotoService.working(in: folder, arguments: ["--pictures-every", "1"]) { service in
                let both = try await shows(["folder/1.jpg", "folder/2.jpg"], service)
                #expect(both)
                // Changes without closing it: nothing that is watched for.
                #expect(truncate(files.path("2.jpg"), 3) == 0)
                let one = try await shows(["folder/1.jpg"], service)
                #expect(one)
            }
        }
    }
}
