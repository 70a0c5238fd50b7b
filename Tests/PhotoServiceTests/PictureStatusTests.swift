import PhotoContracts
import RPC
import Storage
import TestSupport
import TestTools
import Testing

@testable import PhotoService

@Suite("P26 What a shared photo says of its picture tells nobody where the pins of others are")
struct PictureStatusTests {
    private typealias Part = AlbumSearchTests

    private static let photo = "folder/001.jpg"

    /// One photo, whose picture is there since a pin of "ann" found it and the place at 60, 25.
    private func with(_ body: (RunningPhotoService) async throws -> Void) async throws {
        try await RunningPhotoService.with { service in
            try await service.addFolderPhotos(1)
            try await service.addPin(places: [Part.place("catalog/a")])
            try await service.finishSearches()
            try await service.settle(names([1]), .ready)
            try await body(service)
        }
    }

    /// The state of the photo as an account is shown it.
    private func state(_ service: RunningPhotoService, of account: String) async throws -> PhotoContracts.PhotoState {
        let near = try await service.near(of: account)
        #expect(try await service.photo(Self.photo, of: account).state == near.first?.state)
        return try #require(near.first).state
    }

    @Test(
        "no state, preview, bytes that have come or thumbnail: all as of one that nobody wants, of which others are made"
    )
    func hidden() async throws {
        try await TemporaryFolder.with { folder in
            let files = try PictureFiles(folder)
            try files.add("a.jpg", 60)
            try files.add("b.jpg", 60.05)
            try await RunningPhotoService.working(in: folder) { service in
                _ = try await service.scan()
                try await service.addPin()
                try await service.watchToEnd("pin/p1")
                let own = try await service.near(of: "ann")
                #expect(own.map(\.state) == [.ready, .unspecified])
                #expect(own.first?.placeholder.isEmpty == false && own.first?.thumbnailUrl.isEmpty == false)
                for photos in [try await service.near(of: "bob"), try await service.near(of: "bob", ["folder"])] {
                    #expect(photos.map(\.author) == ["A. Person", "A. Person"])
                    #expect(photos.allSatisfy { $0.hasNoPicture })
                }
                var messages: [String?] = []
                for id in ["folder/a.jpg", "folder/b.jpg"] {
                    let error = try await errorOf {
                        try await service.picture(id, .thumbnail, service.options(of: "bob"))
                    }
                    #expect(error?.code == .failedPrecondition)
                    messages.append(error?.message.replacing(id, with: ""))
                }
                #expect(messages[0] == messages[1])
                for size in [BaseContracts.PictureSize.small, .thumbnail] {
                    let signed = try await service.picture("folder/a.jpg", size, service.peerOptions(of: nil))
                    #expect(try await service.picture("folder/a.jpg", size).bytes == signed.bytes)
                }
                // They are made when they are asked for, whoever asks.
                for size in [BaseContracts.PictureSize.small, .large] {
                    for id in ["folder/a.jpg", "folder/b.jpg"] {
                        let made = try await service.picture(id, size, service.options(of: "bob")).bytes
                        #expect(try await service.picture(id, size).bytes == made)
                    }
                }
                #expect(try await service.near(of: "bob").allSatisfy { $0.hasNoPicture })
            }
        }
    }

    @Test("an account is shown it while an album or a star of its own holds the photo")
    func held() async throws {
        try await with { service in
            #expect(try await state(service, of: "ann") == .ready)
            #expect(try await state(service, of: "bob") == .unspecified)
            for (change, expected) in [(FavouriteChange.add, PhotoContracts.PhotoState.ready), (.remove, .unspecified)]
            {
                let request = ChangeFavouriteRequest(photoId: Self.photo, change: change)
                _ = try await service.photos.changeFavourite(request, service.options(of: "bob"))
                #expect(try await state(service, of: "bob") == expected)
            }
            let bob = service.peerOptions(of: "bob")
            // One beside the photo, and one far away, whose search has found the place that the photo belongs to.
            for (pin, latitude) in [("p2", 60.0), ("p3", 61)] {
                let part = Part.part(pin, latitude, places: latitude == 60 ? [] : [Part.place("catalog/a")])
                _ = try await service.search.searchAlbums(part, bob)
                try await service.finishSearches()
                #expect(try await state(service, of: "bob") == .ready)
                _ = try await service.search.forgetPin(ForgetPinRequest(pinId: pin), bob)
                #expect(try await state(service, of: "bob") == .unspecified)
            }
            #expect(try await state(service, of: "ann") == .ready)
        }
    }

    @Test("one whose file is gone is there for those alone whose albums hold it, also where a place's does")
    func gone() async throws {
        try await with { service in
            let id = try #require(PhotoID(Self.photo))
            try await service.store.write { transaction throws(SQLError) in try transaction.setGone(id) }
            #expect(try await service.album("place/catalog/a").photos.map(\.id) == [Self.photo])
            #expect(try await service.photo(Self.photo, of: "ann").state == .ready)
            let error = try await errorOf { try await service.photo(Self.photo, of: "bob") }
            #expect(error?.code == .notFound)
        }
    }
}

extension RunningPhotoService {
    /// The photos around 60, 25 as an account is shown them.
    fileprivate func near(of account: String, _ networks: [String] = []) async throws -> [PhotoContracts.Photo] {
        var request = PhotosNearRequest(60, 25, radius: 10_000)
        request.networks = networks
        return try await photos.photosNear(request, options(of: account)).photos
    }
}

extension PhotoContracts.Photo {
    fileprivate var hasNoPicture: Bool {
        state == .unspecified && fetchedByteCount == 0
            && [failure, placeholder, thumbnailUrl].allSatisfy(\.isEmpty) && !smallUrl.isEmpty && !largeUrl.isEmpty
    }
}
