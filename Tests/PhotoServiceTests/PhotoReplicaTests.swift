import PhotoContracts
import Glibc
import RPC
import Storage
import TestSupport
import TestTools
import Testing

@testable import PhotoService

@Suite(
    "P43 Replicas of the photo service", .enabled(if: S3Server.isInstalled, "\(S3Server.hint)"),
    .timeLimit(.minutes(5)))
struct PhotoReplicaTests {
    /// Two replicas, and the folder of pictures that both read.
    private func withTwo(
        arguments: [String] = [],
        _ body: (_ first: RunningPhotoService, _ second: RunningPhotoService, PictureFiles) async throws -> Void
    ) async throws {
        try await TemporaryFolder.with { folder in
            let files = try PictureFiles(folder)
            for number in 1...3 {
                let picture = TestJPEG(width: 800, height: 600)
                try files.add("\(number).jpg", 60 + Double(number) / 10_000, picture, shade: UInt8(number * 20))
            }
            try await RunningPhotoService.replica("one", in: folder, arguments: arguments) { first in
                try await RunningPhotoService.replica("two", in: folder, arguments: arguments) { second in
                    try await body(first, second, files)
                }
            }
        }
    }

    @Test("give the same album and the same bytes, whichever made them")
    func shared() async throws {
        try await withTwo { first, second, _ in
            _ = try await first.scan()
            try await second.addPin()
            try await first.watchToEnd("pin/p1")
            let albums = [try await first.album("pin/p1"), try await second.album("pin/p1")]
            #expect(albums[0].photos.map(\.id) == albums[1].photos.map(\.id))
            #expect(albums[0].photos.map(\.state) == [.ready, .ready, .ready])
            for size in [BaseContracts.PictureSize.thumbnail, .large] {
                let pictures = [
                    try await first.picture("folder/1.jpg", size), try await second.picture("folder/1.jpg", size),
                ]
                #expect(pictures[0].bytes == pictures[1].bytes)
                #expect(pictures[0].info == pictures[1].info)
            }
        }
    }

    @Test("show how a scan fares, also one that the other runs, and scan once for both that ask")
    func scans() async throws {
        try await withTwo { first, second, _ in
            try await first.store.waitForScans()
            async let one = first.scan()
            async let two = second.scan()
            let answers = [try await one, try await two]
            #expect(answers.map(\.fileCount) == [3, 3])
            #expect(answers.map(\.done) == [true, true])
            // Those of the starts, and at most one more for each that asked.
            let number = try #require(try await first.store.scan(notBefore: 0)).number
            #expect((2...4).contains(number))
        }
    }

    @Test("make a large picture once, however many ask both of them")
    func once() async throws {
        try await withTwo { first, second, _ in
            _ = try await first.scan()
            let names = try await withThrowingTaskGroup(of: String.self) { group in
                for number in 0..<16 {
                    let service = number % 2 == 0 ? first : second
                    group.addTask { try await service.picture("folder/1.jpg", .large).info.sha256 }
                }
                return try await group.reduce(into: Set()) { $0.insert($1) }
            }
            #expect(names.count == 1)
            let made = try await first.store.read { transaction throws(SQLError) in
                try transaction.lastVersion(of: PictureJob.name)
            }
            // The version is raised by each that was made; a request that comes right after the end makes another.
            #expect((1...3).contains(made))
        }
    }

    @Test("answer what kept a picture from being made, whichever tried")
    func failure() async throws {
        try await withTwo { first, second, files in
            _ = try await first.scan()
            // One that the other had asked for may follow, and would find that the file is gone.
            try await first.untilIdle("scan")
            files.remove("2.jpg")
            for service in [first, second] {
                let error = try await errorOf { try await service.picture("folder/2.jpg", .large) }
                #expect(error?.code == .notFound)
                #expect(error?.message == "the photo's file was deleted")
            }
        }
    }

    @Test("go on with the pictures of one that stopped, and start without its disk")
    func stopped() async throws {
        try await TemporaryFolder.with { folder in
            let files = try PictureFiles(folder)
            try files.add("1.jpg", 60)
            let made = try await RunningPhotoService.replica("one", in: folder) { first in
                _ = try await first.scan()
                try await first.addPin()
                try await first.watchToEnd("pin/p1")
                return try await first.picture("folder/1.jpg", .thumbnail)
            }
            files.remove("1.jpg")
            // The file is gone, and the other's disk: the bytes come from the store.
            try await RunningPhotoService.replica("two", in: folder) { second in
                let picture = try await second.picture("folder/1.jpg", .thumbnail)
                #expect(picture.bytes == made.bytes)
            }
        }
    }

    @Test("serve what they have copies of while the store is away, and make the rest once it is back")
    func away() async throws {
        let server = try S3Server(.seaweedFS)
        try await TemporaryFolder.with { folder in
            let files = try PictureFiles(folder)
            for number in 1...2 { try files.add("\(number).jpg", 60 + Double(number) / 10_000, shade: UInt8(number)) }
            let own = ["--blobs", server.address(prefix: "away")]
            try await RunningPhotoService.replica("one", in: folder, arguments: own) { service in
                _ = try await service.scan()
                try await service.addPin()
                try await service.watchToEnd("pin/p1")
                let before = try await service.picture("folder/1.jpg", .thumbnail)
                try server.kill()
                let during = try await service.picture("folder/1.jpg", .thumbnail)
                #expect(during.bytes == before.bytes)
                let error = try await errorOf { try await service.picture("folder/2.jpg", .large) }
                #expect(error?.code == .unavailable)
                #expect(error?.message == "the store with the pictures is away; try again in a few seconds")
                try server.start()
                var last: RPCError?
                repeat {
                    last = try await errorOf { try await service.picture("folder/2.jpg", .large) }
                } while last?.code == .unavailable
                #expect(last == nil)
            }
        }
    }
}
