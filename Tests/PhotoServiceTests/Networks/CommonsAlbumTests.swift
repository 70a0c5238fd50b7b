import PhotoContracts
import Daemon
import HTTP
import RPC
import Storage
import TestSupport
import TestTools
import Testing

@testable import PhotoService

@Suite("Albums from Wikimedia Commons", .timeLimit(.minutes(2)))
struct CommonsAlbumTests {
    /// Runs the service with a Commons of these files, and a picture in the folder if it has a name.
    private func with(
        _ commons: CommonsFixture, picture: String? = nil, patience: SearchPatience = .long,
        _ body: (RunningPhotoService, HTTPFixture) async throws -> Void
    ) async throws {
        try await TemporaryFolder.with { folder in
            let files = try PictureFiles(folder)
            if let picture { try files.add(picture, 60) }
            try await HTTPFixture.with(commons.answer) { fixture, url in
                let arguments = [
                    "--commons-url", "\(url)/w/api.php", "--commons-files", "\(url)/files", "--contact", "a@b.example",
                    "--commons-rate", "1000",
                ]
                try await RunningPhotoService.working(in: folder, arguments: arguments, patience: patience) { service in
                    try await body(service, fixture)
                }
            }
        }
    }

    private func addPin(
        _ id: String, _ latitude: Double = 48.8584, _ longitude: Double = 2.2945, to service: RunningPhotoService
    ) async throws {
        let request = SearchAlbumsRequest(
            pinId: id, generation: 1, centre: Coordinate(latitude: latitude, longitude: longitude), radiusM: 500,
            isLast: true)
        _ = try await service.search.searchAlbums(request, service.peerOptions)
    }

    @Test("a pin far from the folder fills, with who made each photo and under which licence; each is fetched once")
    func fills() async throws {
        let commons = CommonsFixture([.init(id: 1, title: "File:Old bridge.jpg"), .init(id: 2, latitude: 48.8590)])
        try await with(commons) { service, fixture in
            try await addPin("p1", to: service)
            try await service.watchToEnd("pin/p1")
            let album = try await service.album("pin/p1")
            #expect(album.album?.summary == AlbumSummary(state: .complete, photoCount: 2, readyCount: 2))
            let first = try #require(album.photos.first)
            #expect(first.id == "commons/1" && first.title == "Old bridge" && first.author == "Ann & Bo")
            #expect(first.licence == "CC BY-SA 4.0")
            #expect(first.sourceUrl == "https://commons.wikimedia.org/wiki/1")
            #expect(try await service.picture("commons/1", .thumbnail).info.width == 320)
            #expect(try await service.picture("commons/1", .large).info.width == 640)
            #expect(commons.fetched == [1: 1, 2: 1])
            // Another pin there asks nobody: what is there is known.
            let asked = fixture.requests.count
            try await addPin("p2", to: service)
            try await service.watchToEnd("pin/p2")
            #expect(try await service.album("pin/p2").photos.count == 2)
            #expect(fixture.requests.count == asked)
            let agents = Set(fixture.requests.map { $0.headers["user-agent"] })
            #expect(agents == ["Waymark (self-hosted; a@b.example)"])
        }
    }

    @Test("what no pin and no favourite shows goes when the area is not known any more; a favourite stays")
    func expired() async throws {
        let commons = CommonsFixture([.init(id: 1), .init(id: 2, latitude: 48.8590)])
        try await with(commons) { service, _ in
            try await addPin("p1", to: service)
            try await service.watchToEnd("pin/p1")
            _ = try await service.change("commons/2", .add)
            _ = try await service.search.forgetPin(ForgetPinRequest(pinId: "p1"), service.peerOptions)
            try await service.sweep()
            let kept = try #require(PhotoID("commons/1"))
            let state = try await service.store.read { transaction throws(SQLError) in
                try transaction.photo(kept)?.picture.state
            }
            #expect(state == .ready)
            try await service.store.write { transaction throws(SQLError) in
                try transaction.execute("UPDATE grid_cells SET expires_ms = 1")
            }
            try await service.sweep()
            let error = try await errorOf { try await service.photo("commons/1", of: "ann") }
            #expect(error?.code == .notFound)
            #expect(try await service.favourites().map(\.photo?.id) == ["commons/2"])
            #expect(try await service.picture("commons/2", .thumbnail).info.width == 320)
        }
    }

    @Test("what is no photo, says no licence, or lies on a server that is not theirs is not listed")
    func unusable() async throws {
        let commons = CommonsFixture([
            .init(id: 1), .init(id: 2, mime: "image/svg+xml"), .init(id: 3, licence: nil),
            .init(id: 4, address: "http://169.254.169.254/latest/meta-data"),
            .init(id: 5, address: "file:///etc/passwd"), .init(id: 6, latitude: 91),
        ])
        try await with(commons) { service, _ in
            try await addPin("p1", to: service)
            try await service.watchToEnd("pin/p1")
            #expect(try await service.album("pin/p1").photos.map(\.id) == ["commons/1"])
        }
    }

    @Test("a photo that is gone is shown as failed at once, and one that comes at the second try as ready")
    func failing() async throws {
        let commons = CommonsFixture([.init(id: 1, statuses: [404]), .init(id: 2, statuses: [500, 200])])
        try await with(commons) { service, _ in
            try await addPin("p1", to: service)
            try await service.watchToEnd("pin/p1")
            let album = try await service.album("pin/p1")
            #expect(
                album.album?.summary
                    == AlbumSummary(state: .completeWithErrors, photoCount: 2, readyCount: 1, failedCount: 1))
            #expect(Set(album.photos.map(\.failure)) == ["", "its network does not have it any more"])
            #expect(commons.fetched == [1: 1, 2: 2])
        }
    }

    @Test("one that takes long: what the folder has is shown meanwhile, and its own come when it has answered")
    func slow() async throws {
        let gate = Gate()
        let commons = CommonsFixture([.init(id: 1, latitude: 60.001, longitude: 25)], gate: gate)
        try await with(commons, picture: "near.jpg", patience: SearchPatience()) { service, _ in
            _ = try await service.scan()
            try await addPin("p1", 60, 25, to: service)
            try await service.watch("pin/p1") { $0.album?.summary?.photoCount == 1 }
            let album = try await service.album("pin/p1")
            #expect(album.photos.map(\.id) == ["folder/near.jpg"])
            #expect(album.album?.warning == "commons: it has not answered yet; the query still runs")
            gate.open()
            try await service.watch("pin/p1") { $0.album?.summary?.photoCount == 2 }
            #expect(try await service.album("pin/p1").album?.warning == "")
        }
    }

    @Test("P19 a picture that takes long says how much of it has come, and of how much")
    func progress() async throws {
        let gate = Gate()
        try await with(CommonsFixture([.init(id: 1)], halfGate: gate)) { service, _ in
            try await addPin("p1", to: service)
            try await service.watch("pin/p1") { $0.photos.first?.state == .downloading }
            let photo = try #require(try await service.album("pin/p1").photos.first)
            #expect(photo.fetchedByteCount > 0 && photo.fetchedByteCount <= photo.totalByteCount / 2)
            gate.open()
            try await service.watchToEnd("pin/p1")
            #expect(try await service.album("pin/p1").photos.map(\.state) == [.ready])
        }
    }

    @Test("an album that has nothing yet is being searched, not empty, while a network is asked")
    func stillSearching() async throws {
        let gate = Gate()
        try await with(CommonsFixture([], gate: gate)) { service, _ in
            try await addPin("p1", to: service)
            try await service.watch("pin/p1") { $0.album?.warning.isEmpty == false }
            #expect(try await service.album("pin/p1").album?.summary?.state == .searching)
            gate.open()
            try await service.watch("pin/p1") { $0.album?.summary?.state == .empty }
        }
    }

    @Test("a network that refuses costs its part: the album says why, and is searched again")
    func refused() async throws {
        let busy = HTTPResponse(429, headers: [("Retry-After", "3600")])
        try await with(CommonsFixture([.init(id: 1)], failures: [busy])) { service, _ in
            try await addPin("p1", to: service)
            try await service.watchToEnd("pin/p1")
            let album = try #require(try await service.album("pin/p1").album)
            #expect(album.summary?.state == .empty)
            #expect(album.warning == "commons: too many requests (429)", "it is not asked, nor searched for, meanwhile")
            let next = try await service.store.read { transaction throws(SQLError) in
                try transaction.first("SELECT next_ms FROM jobs WHERE kind = 'search'") { row throws(SQLError) in
                    try row.integer(0)
                }
            }
            #expect(try #require(next) > service.store.clock.unixMilliseconds + 3_000_000)
        }
    }
}
