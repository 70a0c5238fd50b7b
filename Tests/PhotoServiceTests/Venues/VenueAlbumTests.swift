import Arguments
import Settings
import PhotoContracts
import Daemon
import HTTP
import RPC
import Storage
import TestSupport
import TestTools
import Testing

@testable import PhotoService

@Suite("P18 P26 Albums of Foursquare's venues", .timeLimit(.minutes(2)))
struct VenueAlbumTests {
    private static let venue = "4b0000000000000000000001"
    private static let place = "foursquare/\(venue)"
    private static let album = "place/\(place)"
    private typealias Listed = FoursquareSimulator.Listed

    /// A pin in Paris with the venue, and two other places.
    private func with(
        _ foursquare: FoursquareSimulator, _ shape: FoursquarePhotos.Shape = .second,
        _ body: (RunningPhotoService, HTTPFixture) async throws -> Void
    ) async throws {
        try await TemporaryFolder.with { folder in
            _ = try PictureFiles(folder)
            try await HTTPFixture.with(foursquare.answer) { fixture, url in
                let arguments = [
                    "--foursquare-photos", shape.rawValue, "--foursquare-key", FoursquareSimulator.key,
                    "--foursquare-url", url, "--foursquare-files", "\(url)/img", "--foursquare-rate", "1000",
                    "--contact", "a@b.example",
                ]
                try await RunningPhotoService.working(in: folder, arguments: arguments) { service in
                    let places = [
                        AlbumSearchTests.place(Self.place, 60.001), AlbumSearchTests.place("catalog/1", 60.001),
                        AlbumSearchTests.place("foursquare/no-venue", 60.002),
                    ]
                    try await service.addPin(places: places)
                    try await service.watchToEnd("pin/p1")
                    try await body(service, fixture)
                }
            }
        }
    }

    private func open(_ service: RunningPhotoService, _ subject: String = Self.album) async throws {
        _ = try await service.photos.openAlbum(OpenAlbumRequest(subject: subject), service.options)
    }

    @Test(
        "a venue is asked about when its album is opened and not before, once for all; in each shape of the API",
        arguments: [FoursquarePhotos.Shape.second, .third, .current])
    func fills(shape: FoursquarePhotos.Shape) async throws {
        let simulator = FoursquareSimulator(shape, [Self.venue: [Listed(number: 1), Listed(number: 2)]])
        try await with(simulator, shape) { service, fixture in
            #expect(fixture.requests.isEmpty)
            try await open(service)
            try await service.watchToEnd(Self.album)
            let album = try await service.album(Self.album)
            #expect(album.album?.summary == AlbumSummary(state: .complete, photoCount: 2, readyCount: 2))
            let photo = try #require(album.photos.first)
            #expect(photo.id == "foursquare/51e000000000000000000001" && photo.reason == .named)
            #expect(photo.author == (shape == .second ? "Ann P." : "Foursquare"))
            #expect(photo.sourceUrl == "https://foursquare.com/v/\(Self.venue)")
            #expect(photo.takenTime != nil && photo.width == 960)
            #expect(try await service.picture(photo.id, .large).info.width == 640)
            let asked = fixture.requests.count
            try await open(service)
            for subject in ["place/catalog/1", "place/foursquare/no-venue"] { try await open(service, subject) }
            let other = AlbumSearchTests.part("p2", places: [AlbumSearchTests.place(Self.place, 60.001)])
            _ = try await service.search.searchAlbums(other, service.peerOptions(of: "bo"))
            _ = try await service.photos.openAlbum(
                OpenAlbumRequest(subject: Self.album), service.options(of: "bo"))
            #expect(fixture.requests.count == asked)
            #expect(try await service.album("pin/p1").photos.isEmpty, "a pin's album is of networks by area")
        }
    }

    @Test("a venue without photos, and one that is gone, are empty albums, and not asked about again")
    func empty() async throws {
        for venues in [[Self.venue: [Listed]()], [:]] {
            try await with(FoursquareSimulator(.second, venues)) { service, fixture in
                try await open(service)
                try await service.watchToEnd(Self.album)
                let album = try await service.album(Self.album).album
                #expect(album?.summary == AlbumSummary(state: .empty) && album?.warning == "")
                try await open(service)
                _ = try await service.photos.newCollection(
                    NewCollectionRequest(subject: Self.album), service.options)
                try await service.watch(Self.album) { $0.album?.warning == "no other photos were found" }
                #expect(fixture.requests.count == 1)
            }
        }
    }

    @Test("what is not for all, or lies on a server that is not theirs, is not shown")
    func unusable() async throws {
        let photos = [
            Listed(number: 1), Listed(number: 2, isPublic: false), Listed(number: 3, prefix: "http://169.254.169.254/"),
            Listed(number: 4, name: nil),
        ]
        try await with(FoursquareSimulator(.second, [Self.venue: photos])) { service, _ in
            try await open(service)
            try await service.watchToEnd(Self.album)
            let album = try await service.album(Self.album)
            #expect(album.photos.map(\.author) == ["Ann P.", "Foursquare"])
        }
    }

    @Test("an album that is opened a day later has what the venue has then")
    func renewed() async throws {
        let simulator = FoursquareSimulator(.second, [Self.venue: [Listed(number: 1)]])
        try await with(simulator) { service, _ in
            try await open(service)
            try await service.watchToEnd(Self.album)
            simulator.set(Self.venue, [Listed(number: 2), Listed(number: 3)])
            try await service.store.write { transaction throws(SQLError) in
                try transaction.execute("UPDATE known_places SET named_ms = 1 WHERE named_ms > 0")
            }
            try await open(service)
            try await service.watch(Self.album) { $0.album?.summary?.photoCount == 2 }
            let ids = try await service.album(Self.album).photos.map { $0.id.suffix(2) }
            #expect(ids == ["02", "03"], "what it has no more is shown no more")
        }
    }

    @Test("a refusal costs the album's photos, which says why without the key, and is followed when it may be")
    func refused() async throws {
        let busy = HTTPResponse(429, headers: [("Retry-After", "3600")])
        let simulator = FoursquareSimulator(.second, [Self.venue: [Listed()]], failures: [busy])
        try await with(simulator) { service, _ in
            try await open(service)
            try await service.watchToEnd(Self.album)
            let album = try #require(try await service.album(Self.album).album)
            #expect(album.summary?.state == .empty)
            #expect(album.warning == "foursquare: too many requests (429)")
            let next = try await service.store.read { transaction throws(SQLError) in
                try transaction.first("SELECT next_ms FROM jobs WHERE kind = 'named'") { row throws(SQLError) in
                    try row.integer(0)
                }
            }
            #expect(try #require(next) > service.store.clock.unixMilliseconds + 3_000_000)
        }
    }

    @Test("settings that can't be are refused, each with its flag")
    func settings() {
        #expect(problem("--foursquare-photos", "v4")?.contains("2025, v3 and v2 are") == true)
        #expect(problem("--foursquare-photos", "v3")?.contains("--foursquare-key") == true)
        #expect(problem("--foursquare-photos", "v2", "--foursquare-key", "secret")?.contains("ID:SECRET") == true)
        #expect(problem("--foursquare-photos", "v2", "--foursquare-key", "a:b")?.contains("--contact") == true)
        #expect(problem("--foursquare-key", "a:b") == nil, "a key for places asks for no photos")
    }

    private func problem(_ arguments: String...) -> String? {
        do {
            let options = try Options(Option.photoNetworks, arguments: arguments, environment: [:])
            _ = try PhotoNetworksConfig(options)
            return nil
        } catch {
            return "\(error)"
        }
    }
}
