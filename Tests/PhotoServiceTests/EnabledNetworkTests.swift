import PhotoContracts
import Geo
import RPC
import Storage
import TestSupport
import Testing

@testable import PhotoService

@Suite("P34 networks of an account in its albums", .timeLimit(.minutes(2)))
struct EnabledNetworkTests {
    private static let both = ["commons/Old bridge.jpg", "folder/001.jpg"]

    /// A photo of the folder, and one that a network has listed because another account has asked.
    private func fill(_ service: RunningPhotoService) async throws {
        try await service.addFolderPhotos(1)
        let photo = PhotoService.Photo(
            id: try #require(PhotoID("commons/Old bridge.jpg")), title: "",
            position: try Geo.Coordinate(latitude: 60, longitude: 25),
            credit: Credit(author: "A", licence: "CC0", sourceURL: "https://commons.example/old"),
            originalURL: "https://commons.example/old.jpg", width: 1, height: 1, takenMilliseconds: nil)
        try await service.store.write { transaction throws(SQLError) in
            try transaction.putFoundPhoto(photo, seen: 1)
            try transaction.ownPhoto(photo.id, "ann")
            try transaction.ownPhoto(photo.id, "ben")
        }
    }

    /// The photos of a pin, as a search with this choice finds them.
    private func found(
        _ pin: String, _ choice: NetworkChoice?, _ service: RunningPhotoService, account: String = "ann"
    ) async throws -> [String] {
        var part = AlbumSearchTests.part(pin)
        part.networkChoice = choice
        _ = try await service.search.searchAlbums(part, service.peerOptions(of: account))
        try await service.finishSearches()
        return try await photos(pin, service, account: account)
    }

    private func photos(
        _ pin: String, _ service: RunningPhotoService, account: String = "ann"
    ) async throws -> [String] {
        try await service.album("pin/\(pin)", of: account).photos.map(\.id).sorted()
    }

    @Test("a search finds photos of the networks that the account has chosen, and hides none that it found before")
    func chosen() async throws {
        try await RunningPhotoService.with { service in
            try await fill(service)
            #expect(try await found("p1", nil, service) == Self.both)
            let mine = NetworkChoice(networks: ["folder"], version: 2)
            #expect(try await found("p2", mine, service) == ["folder/001.jpg"])
            #expect(try await photos("p1", service) == Self.both)
            // What one account has chosen is nothing to another one.
            #expect(try await found("p3", nil, service, account: "ben") == Self.both)
            #expect(try await found("p4", NetworkChoice(all: true, version: 3), service) == Self.both)
        }
    }

    @Test("a choice that comes late is not taken, neither by itself nor with a search")
    func late() async throws {
        try await RunningPhotoService.with { service in
            try await fill(service)
            #expect(try await found("p1", NetworkChoice(networks: ["folder"], version: 2), service).count == 1)
            let late = NetworkChoice(all: true, version: 1)
            _ = try await service.search.chooseNetworks(ChooseNetworksRequest(choice: late), service.peerOptions)
            #expect(try await found("p2", late, service) == ["folder/001.jpg"])
        }
    }

    @Test("an album that never had a photo is searched again when a network is enabled, and no other one")
    func enabled() async throws {
        try await RunningPhotoService.with { service in
            try await fill(service)
            #expect(try await found("p1", NetworkChoice(networks: ["flickr"], version: 1), service) == [])
            let choose = { (names: [String], version: UInt64) in
                let choice = NetworkChoice(networks: names, version: version)
                _ = try await service.search.chooseNetworks(ChooseNetworksRequest(choice: choice), service.peerOptions)
                try await service.finishSearches()
            }
            try await choose(["commons"], 2)
            #expect(try await photos("p1", service) == ["commons/Old bridge.jpg"])
            try await choose(["commons", "folder"], 3)
            #expect(try await photos("p1", service) == ["commons/Old bridge.jpg"])
        }
    }

    @Test("an album of a pin that is limited to some has only their photos, whatever the account has chosen")
    func limited() async throws {
        try await RunningPhotoService.with { service in
            try await fill(service)
            var part = AlbumSearchTests.part("p1")
            part.networkChoice = NetworkChoice(networks: ["commons", "folder"], version: 1)
            part.networkLimit = NetworkChoice(networks: ["commons", "flickr"])
            _ = try await service.search.searchAlbums(part, service.peerOptions)
            try await service.finishSearches()
            #expect(try await photos("p1", service) == ["commons/Old bridge.jpg"])
            // Its owner has moved it.
            part.networkLimit = nil
            part.generation = 2
            _ = try await service.search.searchAlbums(part, service.peerOptions)
            try await service.finishSearches()
            #expect(try await photos("p1", service) == Self.both)
        }
    }

    private static let bad: [(NetworkChoice?, String)] = [
        (nil, "choice: it is missing"),
        (NetworkChoice(networks: ["A b"]), "choice.networks[0]: \"A b\" is not allowed"),
        (
            NetworkChoice(networks: Array(repeating: "a", count: 101)), "choice.networks: 101 networks are not allowed"
        ),
    ]

    @Test("a choice without content, or with names that are none, is refused", arguments: bad)
    func badInput(choice: NetworkChoice?, message: String) async throws {
        try await RunningPhotoService.with { service in
            let error = try await errorOf {
                try await service.search.chooseNetworks(ChooseNetworksRequest(choice: choice), service.peerOptions)
            }
            #expect(error?.code == .invalidArgument && error?.message.contains(message) == true)
        }
    }
}
