import PhotoContracts
import Daemon
import EventLoops
import HTTP
import RPC
import Storage
import TestSupport
import TestTools
import Testing

@testable import PhotoService

@Suite(
    "P25 What its network withdraws goes from albums, when its answer is not valid any more", .timeLimit(.minutes(5)))
struct RecheckTests {
    private func with(
        _ commons: CommonsFixture, _ body: (RunningPhotoService, HTTPFixture) async throws -> Void
    ) async throws {
        try await TemporaryFolder.with { folder in
            try await HTTPFixture.with(commons.answer) { fixture, url in
                let arguments = [
                    "--commons-url", "\(url)/w/api.php", "--commons-files", "\(url)/files", "--contact", "a@b.example",
                    "--commons-rate", "1000",
                ]
                try await RunningPhotoService.working(in: folder, arguments: arguments) { service in
                    let request = SearchAlbumsRequest(
                        pinId: "p1", generation: 1, centre: Coordinate(latitude: 48.8584, longitude: 2.2945),
                        radiusM: 500, isLast: true)
                    _ = try await service.search.searchAlbums(request, service.peerOptions)
                    try await service.watchToEnd("pin/p1")
                    try await body(service, fixture)
                }
            }
        }
    }

    @Test("one that is deleted goes with its pictures, but for the one whose favourite it is; the others stay")
    func withdrawn() async throws {
        let commons = CommonsFixture([.init(id: 1), .init(id: 2), .init(id: 3)])
        try await with(commons) { service, _ in
            _ = try await service.change("commons/2", .add)
            commons.change { $0.removeAll { $0.id != 3 } }
            try await service.recheck("commons")
            #expect(try await service.album("pin/p1").photos.map(\.id) == ["commons/3"])
            #expect(try await service.album("pin/p1").album?.summary?.readyCount == 1)
            #expect(try await service.picture("commons/2", .thumbnail).info.width == 320)
            for (id, account) in [("commons/1", "ann"), ("commons/1", "bob"), ("commons/2", "bob")] {
                let (request, options) = (GetPictureRequest(photoId: id), service.options(of: account))
                let error = try await errorOf { for try await _ in service.photos.getPicture(request, options) {} }
                #expect(error?.code == .notFound, "\(id) for \(account)")
                #expect(try await errorOf { try await service.photo(id, of: account) }?.code == .notFound)
            }
            #expect(commons.fetched == [1: 1, 2: 1, 3: 1])
        }
    }

    @Test("one under another licence, or by another name, is shown so; without a licence it goes")
    func relicensed() async throws {
        let commons = CommonsFixture([.init(id: 1), .init(id: 2)])
        try await with(commons) { service, _ in
            commons.change { files in
                files[0].licence = "CC0"
                files[0].artist = "Cy"
                files[1].licence = nil
            }
            try await service.recheck("commons")
            let photos = try await service.album("pin/p1").photos
            #expect(photos.map { "\($0.id) \($0.author) \($0.licence)" } == ["commons/1 Cy CC0"])
            #expect(try await service.picture("commons/1", .thumbnail).info.width == 320)
        }
    }

    @Test("an answer about something else withdraws nothing, nor does none")
    func others() async throws {
        let commons = CommonsFixture([.init(id: 1), .init(id: 2)])
        try await with(commons) { service, fixture in
            let list = CommonsFixture.list([.init(id: 7)], at: "127.0.0.1")
            commons.fail(with: [HTTPResponse(200, text: list), HTTPResponse(503)])
            for _ in 1...2 {
                let asked = fixture.requests.count
                try await service.startRecheck("commons")
                try await service.until { fixture.requests.count > asked }
                try await service.untilIdle(RecheckJob.name)
                #expect(try await service.album("pin/p1").photos.count == 2)
            }
            try await service.recheck("commons")
            #expect(try await service.album("pin/p1").photos.count == 2)
        }
    }
}

extension RunningPhotoService {
    /// A day later: asks a network again, and waits for the end.
    func recheck(_ network: String) async throws {
        try await startRecheck(network)
        try await until {
            try await store.read { transaction throws(SQLError) in
                try transaction.first(
                    "SELECT count(*) FROM photos WHERE seen_ms = 1"
                ) { row throws(SQLError) in try row.integer(0) == 0 } ?? false
            }
        }
    }

    /// A day later: asks a network again.
    func startRecheck(_ network: String) async throws {
        try await store.write { transaction throws(SQLError) in
            try transaction.execute("UPDATE photos SET seen_ms = 1 WHERE seen_ms > 0")
        }
        try await store.startRecheck(of: network)
    }

    /// Waits for what tells nobody when it happens.
    func until(_ condition: () async throws -> Bool) async throws {
        let end = MonotonicTime.now + .seconds(60)
        while try await !condition() {
            try #require(.now < end)
            await Task.yield()
        }
    }

    /// Waits until no job of a kind runs or is due.
    func untilIdle(_ kind: String) async throws {
        try await until {
            let now = store.clock.unixMilliseconds
            return try await store.read { transaction throws(SQLError) in
                try transaction.first(
                    "SELECT count(*) FROM jobs WHERE kind = ?1 AND (lease <> 0 OR next_ms <= ?2)", kind, now
                ) { row throws(SQLError) in try row.integer(0) == 0 } ?? false
            }
        }
    }
}
