import Arguments
import Settings
import PhotoContracts
import Daemon
import HTTP
import LiveNetworks
import Storage
import TestSupport
import TestTools
import Testing

@testable import PhotoService

@Suite("P18 P26 Albums from Flickr", .timeLimit(.minutes(2)))
struct FlickrAlbumTests {
    private static let key = "0123456789abcdef0123456789abcdef"

    /// Runs the service with a simulator of Flickr on a real socket.
    private func with(
        _ flickr: FlickrSimulator, _ body: (RunningPhotoService, HTTPFixture) async throws -> Void
    ) async throws {
        try await TemporaryFolder.with { folder in
            _ = try PictureFiles(folder)
            try WholeFile.write(Array("\(Self.key)\n".utf8), to: "\(folder)/key")
            try await HTTPFixture.with(flickr.answer) { fixture, url in
                let arguments = [
                    "--flickr-key-file", "\(folder)/key", "--flickr-url", "\(url)/services/rest", "--flickr-files",
                    "\(url)/files", "--flickr-rate", "1000", "--contact", "a@b.example",
                ]
                try await RunningPhotoService.working(in: folder, arguments: arguments) { service in
                    try await body(service, fixture)
                }
            }
        }
    }

    private func addPin(
        _ id: String = "p1", east: Double = 2.2945, radius: Double = 500, to service: RunningPhotoService
    ) async throws {
        let request = SearchAlbumsRequest(
            pinId: id, generation: 1, centre: Coordinate(latitude: 48.8584, longitude: east), radiusM: radius,
            isLast: true)
        _ = try await service.search.searchAlbums(request, service.peerOptions)
        try await service.watchToEnd("pin/\(id)")
    }

    @Test("an album fills with who made each photo, under which licence, and a link back; all pages are read")
    func fills() async throws {
        let photos = (1...600).map {
            FlickrSimulator.Listed(id: $0, sizes: #""url_l":"https://live.staticflickr.com/\#($0).jpg","#)
        }
        try await with(FlickrSimulator(photos)) { service, fixture in
            try await addPin(to: service)
            let album = try await service.album("pin/p1")
            #expect(album.album?.summary == AlbumSummary(state: .complete, photoCount: 24, readyCount: 24))
            let first = try #require(album.photos.first)
            #expect(first.author == "A. Person" && first.licence == "CC BY 2.0")
            #expect(first.sourceUrl.hasPrefix("https://www.flickr.com/photos/12345678@N00/"))
            #expect(try await service.picture(first.id, .large).info.width == 640)
            #expect(fixture.requests.compactMap { $0.query["page"] } == ["1", "2", "3"])
            #expect(Set(fixture.requests.compactMap { $0.query["api_key"] }) == [Self.key])
        }
    }

    @Test("where it has more than it gives, what it gives is shown, and the album says that there is more")
    func many() async throws {
        let simulator = FlickrSimulator([FlickrSimulator.Listed()], total: 15_849, writesTexts: false)
        try await with(simulator) { service, _ in
            try await addPin(to: service)
            let album = try await service.album("pin/p1")
            #expect(album.photos.map(\.id) == ["flickr/53000000001"])
            try await service.watch("pin/p1") {
                $0.album?.warning.hasPrefix("flickr: there are more photos") == true
            }
        }
    }

    @Test("P68 pins of 1 and 20 km at once send no more requests than a search may, though it has more everywhere")
    func bounded() async throws {
        let simulator = FlickrSimulator([FlickrSimulator.Listed()], total: 15_849)
        try await with(simulator) { service, fixture in
            async let large: Void = addPin("large", radius: 20_000, to: service)
            async let small: Void = addPin("small", east: 4.2945, radius: 1_000, to: service)
            _ = try await (large, small)
            let most = 2 * NetworkRules(perSecond: 1, perDay: 1).perSearch
            let asked = fixture.requests.count { $0.query["method"] == "flickr.photos.search" }
            #expect((2...most).contains(asked), "\(asked)")
        }
    }

    @Test("a photo that its owner deletes is shown no more when the area is asked about again")
    func deleted() async throws {
        let simulator = FlickrSimulator([.init(id: 1), .init(id: 2)])
        try await with(simulator) { service, _ in
            try await addPin(to: service)
            #expect(try await service.album("pin/p1").photos.count == 2)
            simulator.delete(1)
            try await service.store.write { transaction throws(SQLError) in
                try transaction.execute("UPDATE grid_cells SET expires_ms = 1")
            }
            try await addPin("p2", to: service)
            #expect(try await service.album("pin/p2").photos.map(\.id) == ["flickr/2"])
        }
    }

    @Test("P25 what its owner deletes, hides or takes the licence from goes from albums; what else changes is shown")
    func rechecked() async throws {
        let simulator = FlickrSimulator((1...5).map { .init(id: $0, tags: #""tags":"lake bled","#) })
        try await with(simulator) { service, _ in
            try await addPin(to: service)
            let before = try await service.album("pin/p1").photos
            #expect(before.map(\.id) == (1...5).map { "flickr/\($0)" })
            simulator.delete(1)
            simulator.change(2) { $0.visible = #""ispublic":0,"isfriend":1,"isfamily":0,"# }
            simulator.change(3) { $0.licence = #""0""# }
            simulator.change(4) { photo in
                photo.licence = #""9""#
                photo.title = "New harbour"
                photo.tags = #""tags":"harbour geo:lat=48.8","#
            }
            try await service.recheck("flickr")
            var wanted = Array(before[3...])
            wanted[0].licence = "CC0 1.0"
            wanted[0].title = "New harbour"
            wanted[0].tags = ["harbour"]
            #expect(try await service.album("pin/p1").photos == wanted)
        }
    }

    @Test("P25 a refusal withdraws nothing, nor does what describes no photo, or another one")
    func notRechecked() async throws {
        let simulator = FlickrSimulator([.init(id: 1)])
        try await with(simulator) { service, fixture in
            try await addPin(to: service)
            for text in [
                #"{"stat":"fail","code":105,"message":"Service currently unavailable"}"#, #"{"stat":"ok"}"#,
                #"{"stat":"ok","photo":{}}"#, "<html>", FlickrSimulator.info(.init(id: 7)),
            ] {
                simulator.fail(with: HTTPResponse(200, text: text))
                let asked = fixture.requests.count
                try await service.startRecheck("flickr")
                try await service.until { fixture.requests.count > asked }
                try await service.untilIdle(RecheckJob.name)
                #expect(try await service.album("pin/p1").photos.map(\.id) == ["flickr/1"], "\(text)")
            }
            try await service.recheck("flickr")
            #expect(try await service.album("pin/p1").photos.map(\.id) == ["flickr/1"])
        }
    }

    @Test("a key that it does not take costs its part of an album, which says so without the key")
    func refused() async throws {
        let refusal = #"{"stat":"fail","code":100,"message":"Invalid API Key (\#(Self.key) has expired)"}"#
        let simulator = FlickrSimulator(
            [.init()], failures: Array(repeating: HTTPResponse(200, text: refusal), count: 9))
        try await with(simulator) { service, fixture in
            try await addPin(to: service)
            let album = try #require(try await service.album("pin/p1").album)
            #expect(album.summary?.state == .empty)
            #expect(album.warning == "flickr: it refuses: Invalid API Key (… has expired)")
            #expect(fixture.requests.count == 1, "a wrong key is not tried again by itself")
        }
    }

    @Test("a key file that can't be used is told, without what is in it")
    func keys() async throws {
        try await TemporaryFolder.with { folder in
            for (text, wanted) in [("two words\n", "is no key"), ("\n\(Self.key)", "is no key")] {
                try WholeFile.write(Array(text.utf8), to: "\(folder)/key")
                let problem = problem("--flickr-key-file", "\(folder)/key", "--contact", "a@b.example")
                #expect(problem?.contains(wanted) == true && problem?.contains(Self.key) == false)
            }
            #expect(problem("--flickr-key-file", "\(folder)/none")?.contains("can't be read") == true)
            try WholeFile.write(Array(Self.key.utf8), to: "\(folder)/key")
            #expect(problem("--flickr-key-file", "\(folder)/key")?.contains("--contact") == true)
        }
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
