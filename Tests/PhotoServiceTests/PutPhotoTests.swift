import PhotoContracts
import RPC
import TestSupport
import Testing
import Wire

@testable import PhotoService

@Suite("P25 A photo's record keeps who made it and on which terms")
struct PutPhotoTests {
    private static let full = PhotoContracts.Photo(
        id: "flickr/1", title: "Two\nlines", position: Coordinate(latitude: 60.169_912_3, longitude: -179.999_999_9),
        author: "A. Person", licence: "CC BY-SA 4.0", sourceUrl: "http://flickr.example/1",
        originalUrl: "https://live.example/1.jpg", width: 100_000, height: 1,
        takenTime: TimestampMessage(unixMilliseconds: -1), tags: ["old harbour", "é|\\\"'", "=:,;"],
        takenOffsetMinutes: -210)

    @Test("stored and given back whole")
    func whole() async throws {
        try await RunningPhotoService.with { service in
            #expect(try await service.put(Self.full) == Self.full)
            var found = Self.full
            found.distanceM = 0
            let near = try await service.photos.photosNear(
                PhotosNearRequest(60.169_912_3, -179.999_999_9), service.options)
            #expect(near.photos == [found])
        }
    }

    @Test("as it is stored: the position to 1e-7 degrees, the time to a millisecond, no white space around texts")
    func normalized() async throws {
        try await RunningPhotoService.with { service in
            let given = photo("mine/1", 1.000_000_04, 180) { photo in
                photo.title = " \n a title\t"
                photo.author = "  "
                photo.tags = [" snow\n", "ice", "snow", "\u{e9}", "e\u{301}"]
                photo.takenTime = TimestampMessage(unixSeconds: 5, nanoseconds: 7_999_999)
            }
            let expected = photo("mine/1", 1, -180) { photo in
                photo.title = "a title"
                photo.tags = ["snow", "ice", "\u{e9}"]
                photo.takenTime = TimestampMessage(unixMilliseconds: 5_007)
            }
            let stored = try await service.put(given)
            #expect(stored == expected)
        }
    }

    @Test("takes everything at its limit")
    func limits() async throws {
        try await RunningPhotoService.with { service in
            let given = photo("mine/1", -90, 0) { photo in
                photo.title = String(repeating: "å", count: 2_200)
                photo.author = String(repeating: "b", count: 200)
                photo.licence = String(repeating: "c", count: 200)
                photo.tags = (0..<16).map { String(repeating: "å", count: 62) + "\($0 + 10)" }
                photo.takenTime = TimestampMessage(unixSeconds: 253_402_300_799, nanoseconds: 999_000_000)
            }
            let stored = try await service.put(given)
            #expect(stored == given)
        }
    }

    @Test("replaced by one with the same id: moved, and nothing of the old one is left")
    func replaced() async throws {
        try await RunningPhotoService.with { service in
            _ = try await service.put(photo("mine/1") { ($0.title, $0.tags) = ("old", ["old"]) })
            let moved = photo("mine/1", 50, 60)
            #expect(try await service.put(moved) == moved)
            #expect(try await service.photos.photosNear(PhotosNearRequest(1, 2), service.options).photos.isEmpty)
            let near = try await service.photos.photosNear(PhotosNearRequest(50, 60), service.options)
            #expect(near.photos.map(\.id) == ["mine/1"])
            #expect(near.photos.first?.title == "")
        }
    }

    @Test("one of each network stays apart, though the ids there are the same")
    func networks() async throws {
        try await RunningPhotoService.with { service in
            for network in ["b", "a"] { _ = try await service.put(photo("\(network)/1")) }
            let near = try await service.photos.photosNear(PhotosNearRequest(1, 2), service.options)
            #expect(near.photos.map(\.id) == ["a/1", "b/1"])
        }
    }

    @Test("a hundred at once, each put twice: each is there once")
    func concurrent() async throws {
        try await RunningPhotoService.with { service in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<200 { group.addTask { _ = try await service.put(photo("mine/\(number % 100)")) } }
                try await group.waitForAll()
            }
            let near = try await service.photos.photosNear(PhotosNearRequest(1, 2, limit: 200), service.options)
            #expect(near.photos.map(\.id) == (0..<100).map { "mine/\($0)" }.sorted())
        }
    }

    @Test("is not for callers without an identity")
    func unsigned() async throws {
        try await RunningPhotoService.with { service in
            let request = PutPhotoRequest(photo: photo("mine/1"))
            let put = try await errorOf {
                try await service.photos.putPhoto(request, CallOptions(timeout: .seconds(60)))
            }
            #expect(put?.code == .unauthenticated)
            let near = try await errorOf {
                try await service.photos.photosNear(PhotosNearRequest(1, 2), CallOptions(timeout: .seconds(60)))
            }
            #expect(near?.code == .unauthenticated)
        }
    }
}
