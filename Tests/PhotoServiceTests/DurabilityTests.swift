import PhotoContracts
import Daemon
import EventLoops
import FoundationEssentials
import Glibc
import RPC
import Synchronization
import TestSupport
import TestTools
import Testing

@testable import PhotoService

@Suite("P26 A photo that was acknowledged is there", .serialized)
struct DurabilityTests {
    @Test("after the service was killed with -9 in the middle of many calls, again and again")
    func killed() async throws {
        try await TemporaryFolder.with { folder in
            var kept: [PhotoContracts.Photo] = []
            for count in [1, 40, 300] {
                let process = try await start(folder)
                let acknowledged = try await withClient(process) { try await create(until: count, process, $0) }
                #expect(acknowledged.count >= count)
                kept += acknowledged
                let again = try await start(folder)
                try await withClient(again) { try await expectAll(kept, $0) }
                #expect(try await again.end(by: SIGTERM).code == 0, "a signal to stop ends it with exit code 0")
            }
            #expect(Set(kept.map(\.id)).count == kept.count)
        }
    }

    @Test("after the service was stopped and started")
    func reopened() async throws {
        try await TemporaryFolder.with { folder in
            let first = try await RunningPhotoService.with(folder: folder) { service in
                try #require(try await service.put(photo("mine/1") { $0.title = "first" }))
            }
            try await RunningPhotoService.with(folder: folder) { service in
                let near = try await service.photos.photosNear(PhotosNearRequest(1, 2), service.options)
                #expect(near.photos.map(\.id) == [first.id])
                #expect(near.photos.first?.title == "first")
            }
        }
    }

    /// Four clients put photos one after the other; when `count` are acknowledged the process is killed.
    private func create(
        until count: Int, _ process: ServiceProcess, _ photos: PhotoServiceClient
    ) async throws -> [PhotoContracts.Photo] {
        let journal = Journal()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<4 {
                group.addTask {
                    for number in 0... {
                        let given = photo(
                            "mine/\(count)-\(writer)-\(number)", Double(number) / 1_000, Double(count + writer) / 10)
                        let request = PutPhotoRequest(photo: given)
                        guard let stored = try? await photos.putPhoto(request, ServiceProcess.options(of: "ann")).photo
                        else { return }
                        guard journal.note(stored) == count else { continue }
                        let end = try await process.end(by: SIGKILL)
                        #expect(end.code == 128 + SIGKILL)
                    }
                }
            }
            try await group.waitForAll()
        }
        return journal.photos
    }

    /// What was acknowledged, kept outside of the service.
    private final class Journal: Sendable {
        private let noted = Mutex<[PhotoContracts.Photo]>([])

        var photos: [PhotoContracts.Photo] { noted.withLock { $0 } }

        /// Gives how many there are now.
        func note(_ photo: PhotoContracts.Photo) -> Int {
            noted.withLock { photos in
                photos.append(photo)
                return photos.count
            }
        }
    }

    private func expectAll(_ kept: [PhotoContracts.Photo], _ photos: PhotoServiceClient) async throws {
        for photo in kept {
            let request = PhotosNearRequest(centre: photo.position, radiusM: 0)
            #expect(
                try await photos.photosNear(request, ServiceProcess.options(of: "ann")).photos.map(\.id) == [photo.id])
        }
    }

    /// The program on a data folder that it has to make.
    private func start(_ folder: String) async throws -> ServiceProcess {
        try await ServiceProcess.start(
            "photo-service", folder: folder,
            ["--data", "\(folder)/data/deep", "--loops", "1", "--log-level", "error"])
    }

    private func withClient<Value>(
        _ process: ServiceProcess, _ body: (PhotoServiceClient) async throws -> Value
    ) async throws -> Value {
        try await TestClient.with(process.endpoint) { try await body(PhotoServiceClient($0)) }
    }
}
