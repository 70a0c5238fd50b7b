import Arguments
import Settings
import PhotoContracts
import Daemon
import Glibc
import RPC
import TestSupport
import TestTools
import Testing

@testable import PhotoService
@testable import Storage

@Suite("P24 Work goes on after whatever ends it in the middle")
struct JobFaultTests {
    /// Runs a job's kind up to the point where its effects would be written, and there `body`.
    private func inTheMiddle(
        of kind: String, _ key: String, _ service: RunningPhotoService, _ body: () async throws -> Void
    ) async throws -> JobLease {
        let leased = JobKind(kind, workers: 1, timeout: .seconds(60)) { _ in }
        let (now, owner) = (service.store.clock.unixMilliseconds, service.store.database.replica)
        let lease = try await service.store.write { transaction throws(SQLError) in
            try transaction.claimJobs(kind, leased.times(now: now), for: owner).first
        }
        let found = try #require(lease)
        #expect(found.key == key)
        try await body()
        return found
    }

    private func list(
        _ found: PinPhotos, _ lease: JobLease, _ service: RunningPhotoService
    ) async throws -> Bool {
        try await service.store.write { transaction throws(SQLError) in
            guard try transaction.complete(lease, at: 0) else {
                try transaction.undo()
                return false
            }
            try transaction.listPinPhotos(found, for: "p1", at: 0)
            return true
        }
    }

    private func found(_ service: RunningPhotoService) async throws -> PinPhotos {
        try #require(
            try await service.store.read { transaction throws(SQLError) in try transaction.pinPhotos("p1") })
    }

    @Test("a pin that moves while its search runs: what was found for the old place is not listed, the new search is")
    func moved() async throws {
        try await RunningPhotoService.with { service in
            try await service.addFolderPhotos(60)
            try await service.addPin()
            let old = try await found(service)
            let lease = try await inTheMiddle(of: "search", "pin/p1", service) {
                _ = try await service.search.searchAlbums(
                    AlbumSearchTests.part(generation: 2, 60.006), service.peerOptions)
            }
            #expect(try await list(old, lease, service))
            #expect(try await service.album("pin/p1").album?.summary == AlbumSummary(state: .searching))
            try await service.finishSearches()
            #expect(try await service.album("pin/p1").photos.map(\.id) == ids((37...60).reversed()))
        }
    }

    @Test("a pin that is forgotten while its search runs: nothing of it comes back")
    func forgotten() async throws {
        try await RunningPhotoService.with { service in
            try await service.addFolderPhotos(3)
            try await service.addPin(places: [AlbumSearchTests.place("catalog/a")])
            let old = try await found(service)
            let lease = try await inTheMiddle(of: "search", "pin/p1", service) {
                _ = try await service.search.forgetPin(ForgetPinRequest(pinId: "p1"), service.peerOptions)
            }
            #expect(try await list(old, lease, service) == false)
            let rows = try await service.store.read { transaction throws(SQLError) in
                try transaction.first(
                    """
                    SELECT (SELECT count(*) FROM albums) + (SELECT count(*) FROM album_photos)
                        + (SELECT count(*) FROM search_places) + (SELECT count(*) FROM jobs)
                    """
                ) { row throws(SQLError) in try row.integer(0) }
            }
            #expect(rows == 0)
        }
    }

    @Test(
        "jobs whose worker was killed run again after the next start, each with one effect",
        arguments: ["search", "copy"])
    func killed(kind: String) async throws {
        try await TemporaryFolder.with { folder in
            let files = try PictureFiles(folder)
            for number in 1...3 { try files.add("\(number).jpg", 60 + Double(number) / 10_000, shade: UInt8(number)) }
            try await RunningPhotoService.working(in: folder) { _ = try await $0.scan() }
            try await RunningPhotoService.with(folder: "\(folder)/data") { service in
                try await service.addPin()
                if kind == "copy" { try await service.finishSearches() }
                let key = kind == "search" ? "pin/p1" : "folder/1.jpg"
                _ = try await inTheMiddle(of: kind, key, service) {}
            }
            try await RunningPhotoService.working(in: folder) { service in
                try await service.watchToEnd("pin/p1")
                let album = try await service.album("pin/p1")
                #expect(album.album?.summary == AlbumSummary(state: .complete, photoCount: 3, readyCount: 3))
                #expect(try await service.keptJPEGs().count == 3)
            }
        }
    }

    @Test("a picture that the service has died of five times is left alone, and says why")
    func deadly() async throws {
        try await TemporaryFolder.with { folder in
            let clock = ManualClock(Int64(time(nil)) * 1_000)
            try PictureFiles(folder).add("1.jpg", 60)
            try await RunningPhotoService.working(in: folder, clock: clock.clock) { _ = try await $0.scan() }
            try await RunningPhotoService.with(folder: "\(folder)/data", clock: clock.clock) { service in
                try await service.addPin()
                try await service.finishSearches()
            }
            for _ in 1...5 {
                clock.move(by: 60_000)
                try await RunningPhotoService.with(folder: "\(folder)/data", clock: clock.clock) { service in
                    clock.move(by: 60_000)
                    _ = try await inTheMiddle(of: "copy", "folder/1.jpg", service) {}
                }
            }
            // The fifth death is counted by an opening, and its pause is over before the next one.
            try await RunningPhotoService.with(folder: "\(folder)/data", clock: clock.clock) { _ in }
            clock.move(by: 60_000)
            try await RunningPhotoService.working(in: folder, clock: clock.clock) { service in
                try await service.watchToEnd("pin/p1")
                let photo = try #require(try await service.album("pin/p1").photos.first)
                #expect(photo.state == .failed)
                #expect(photo.failure == "it can't be read: the service has died 5 times while it was read")
            }
        }
    }

    /// A bucket sweeps by its own clock, which a test can't set; tests of stores sweep there.
    @Test(
        "a picture that was made but not noted is not doubled, and bytes without a record are swept",
        .enabled(if: PostgresServer.isOfFiles))
    func orphan() async throws {
        try await TemporaryFolder.with { folder in
            let files = try PictureFiles(folder)
            try files.add("1.jpg", 60)
            // As if the process had been killed between storing the bytes and writing their row.
            let (kept, orphan) = try await RunningPhotoService.working(in: folder) { service in
                _ = try await service.scan()
                try await service.addPin()
                try await service.watchToEnd("pin/p1")
                return (try await service.blobs.allNames(), try await service.blobs.put([1, 2, 3]))
            }
            let clock = ManualClock(Int64(time(nil)) * 1_000 + 70_000)
            try await RunningPhotoService.working(in: folder, arguments: ["--blob-grace", "60"], clock: clock.clock) {
                service in
                #expect(try await service.hasBlobs(kept.count))
                #expect(try await !service.blobs.contains(orphan))
                let picture = try await service.picture("folder/1.jpg", .thumbnail)
                #expect(kept.map(\.text).contains(picture.info.sha256))
                #expect(try await service.blobs.allNames() == kept)
            }
        }
    }

    @Test("a grace in which the record of new bytes may not be written yet is refused")
    func grace() {
        let options = [Option("--data", "DIR", help: "")] + ServiceSettings.photos.own
        let error = #expect(throws: OptionError.self) {
            _ = try Config(try Options(options, arguments: ["--data", "d", "--blob-grace", "59"], environment: [:]))
        }
        #expect(error?.description.hasPrefix("--blob-grace is 59, a whole number from 60 to ") == true)
    }

    @Test("a copy that nobody wants any more makes no picture")
    func unwanted() async throws {
        try await TemporaryFolder.with { folder in
            let files = try PictureFiles(folder)
            try files.add("1.jpg", 60)
            try await RunningPhotoService.working(in: folder) { _ = try await $0.scan() }
            try await RunningPhotoService.with(folder: "\(folder)/data") { service in
                try await service.addPin()
                try await service.finishSearches()
                _ = try await service.search.forgetPin(ForgetPinRequest(pinId: "p1"), service.peerOptions)
            }
            try await RunningPhotoService.working(in: folder) { service in
                try await service.store.waitForEnd(of: "copy")
                let photo = try await service.photos.getPhoto(GetPhotoRequest(id: "folder/1.jpg"), service.options)
                #expect(photo.photo?.state == .unspecified)
                #expect(try await service.blobs.allNames().isEmpty)
            }
        }
    }

    @Test(
        "a disk that is full holds a copy up, and it goes on once there is room",
        .enabled(if: TinyDisk.isPossible && PostgresServer.isOfFiles))
    func fullDisk() async throws {
        try await TemporaryFolder.with { folder in
            let files = try PictureFiles(folder)
            for number in 1...4 { try files.add("\(number).jpg", 60 + Double(number) / 10_000, shade: UInt8(number)) }
            for path in ["data", "data/blobs"] { try #require(mkdir("\(folder)/\(path)", 0o700) == 0) }
            try await TinyDisk.with(bytes: 262_144, at: "\(folder)/data/blobs") { disk in
                try await RunningPhotoService.working(in: folder) { service in
                    _ = try await service.scan()
                    let ballast = open("\(disk)/tmp/ballast", O_CREAT | O_WRONLY | O_CLOEXEC, 0o600)
                    while write(ballast, [UInt8](repeating: 1, count: 4_096), 4_096) > 0 {}
                    close(ballast)
                    try await service.addPin()
                    try await failedCopies(4, service)
                    #expect(
                        try await service.album("pin/p1").photos.map(\.state) == [
                            .waiting, .waiting, .waiting, .waiting,
                        ])
                    unlink("\(disk)/tmp/ballast")
                    try await service.watchToEnd("pin/p1")
                    #expect(try await service.album("pin/p1").album?.summary?.readyCount == 4)
                    #expect(try await service.keptJPEGs().count == 4)
                }
            }
        }
    }

    /// Returns when so many copies have failed at least once.
    private func failedCopies(_ wanted: Int64, _ service: RunningPhotoService) async throws {
        while true {
            let count = try await service.store.read { transaction throws(SQLError) in
                try transaction.first("SELECT count(*) FROM jobs WHERE kind = 'copy' AND tries > 0") {
                    row throws(SQLError) in try row.integer(0)
                }
            }
            if count == wanted { return }
            await Task.yield()
        }
    }
}
