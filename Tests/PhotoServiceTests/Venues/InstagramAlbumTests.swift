import PhotoContracts
import Daemon
import HTTP
import RPC
import Storage
import TestSupport
import TestTools
import Testing
import Wire

@testable import PhotoService

@Suite("P18 P28 Albums of Instagram's locations", .timeLimit(.minutes(2)))
struct InstagramAlbumTests {
    private static let place = "instagram/100001"
    private static let album = "place/\(place)"
    private typealias Posted = InstagramSimulator.Posted

    /// A pin with the location, whose album is opened.
    private func with(
        _ instagram: InstagramSimulator, _ body: (RunningPhotoService, HTTPFixture, String) async throws -> Void
    ) async throws {
        try await TemporaryFolder.with { folder in
            _ = try PictureFiles(folder)
            try await HTTPFixture.with(instagram.answer) { fixture, url in
                let arguments = [
                    "--instagram-url", url, "--instagram-token", InstagramSimulator.token, "--instagram-files",
                    "\(url)/img", "--instagram-rate", "1000", "--contact", "a@b.example",
                ]
                try await RunningPhotoService.working(in: folder, arguments: arguments) { service in
                    try await service.addPin(places: [AlbumSearchTests.place(Self.place, 60.001)])
                    try await service.watchToEnd("pin/p1")
                    let request = OpenAlbumRequest(subject: Self.album)
                    _ = try await service.photos.openAlbum(request, service.options)
                    try await service.watchToEnd(Self.album)
                    try await body(service, fixture, url)
                }
            }
        }
    }

    private func liked(_ id: String, of account: String, _ service: RunningPhotoService) async throws -> Bool? {
        try await service.photos.getPhoto(GetPhotoRequest(id: id), service.options(of: account)).liked
    }

    @Test("a location's album has what was posted there, with who posted it; what is no picture is left out")
    func fills() async throws {
        let simulator = InstagramSimulator([
            "100001": [
                Posted(number: 1), Posted(number: 2, caption: nil, tags: #"{"a":[1]}"#),
                Posted(number: 3, type: "video"), Posted(number: 4, name: ""),
                Posted(number: 5, link: "javascript:alert(1)"),
            ]
        ])
        try await with(simulator) { service, fixture, _ in
            let album = try await service.album(Self.album)
            #expect(album.album?.summary == AlbumSummary(state: .complete, photoCount: 2, readyCount: 2))
            #expect(album.photos.map(\.id) == ["instagram/22000001_33", "instagram/22000002_33"])
            #expect(album.photos.map(\.title) == ["Evening 🌅", ""])
            #expect(album.photos.map(\.tags) == [["🚤"], []])
            let photo = try #require(album.photos.first)
            #expect(photo.author == "ann" && photo.sourceUrl == "http://instagr.am/p/X/" && photo.width == 612)
            #expect(photo.takenTime?.seconds == 1_431_500_000)
            #expect(fixture.requests.count { $0.path.hasPrefix("/v1/") } == 1)
        }
    }

    @Test("whether a photo is liked is asked with the token of the account that looks at it, and unknown without one")
    func likes() async throws {
        let simulator = InstagramSimulator(
            ["100001": [Posted()]], likes: ["token-of-ann": ["22000001_33"], "token-of-bo": []])
        try await with(simulator) { service, fixture, url in
            let id = "instagram/22000001_33"
            let stored = try #require(PhotoID(id))
            // As if pins of theirs had found the place, too.
            try await service.store.write { transaction throws(SQLError) in
                for account in ["bo", "cy"] { try transaction.ownPhoto(stored, account) }
            }
            #expect(try await liked(id, of: "ann", service) == nil)
            for account in ["ann", "bo"] {
                let request = SetNetworkKeyRequest(network: "instagram", key: "token-of-\(account)")
                let set = try await service.keys.setNetworkKey(request, service.options(of: account)).key
                #expect(set?.server == url)
            }
            #expect(try await liked(id, of: "ann", service) == true)
            #expect(try await liked(id, of: "bo", service) == false)
            #expect(try await liked(id, of: "cy", service) == nil)
            let asked = Set(fixture.requests.compactMap { $0.query["access_token"] })
            #expect(asked == [InstagramSimulator.token, "token-of-ann", "token-of-bo"])
        }
    }

    @Test(
        "where it can't be known it is unknown, and the photo is shown all the same",
        arguments: [500, 429, 404, 200])
    func unknown(status: Int) async throws {
        let simulator = InstagramSimulator(["100001": [Posted()]], likes: ["token-of-ann": ["22000001_33"]])
        try await with(simulator) { service, _, _ in
            let request = SetNetworkKeyRequest(network: "instagram", key: "token-of-ann")
            _ = try await service.keys.setNetworkKey(request, service.options)
            simulator.fail(with: HTTPResponse(status, text: "<html>"))
            let id = "instagram/22000001_33"
            let answer = try await service.photos.getPhoto(GetPhotoRequest(id: id), service.options)
            #expect(answer.photo?.author == "ann" && answer.liked == nil)
        }
    }

    @Test("a token that opens nothing is refused with the reason")
    func refused() async throws {
        try await with(InstagramSimulator(["100001": [Posted()]])) { service, _, url in
            let request = SetNetworkKeyRequest(network: "instagram", server: url, key: "someone-elses")
            let error = try await errorOf { try await service.keys.setNetworkKey(request, service.options) }
            #expect(error?.code == .invalidArgument)
            #expect(error?.message.hasPrefix("key: OAuthAccessTokenException: The access_token is invalid.") == true)
            #expect(error?.message.contains("someone-elses") == false)
        }
    }
}
