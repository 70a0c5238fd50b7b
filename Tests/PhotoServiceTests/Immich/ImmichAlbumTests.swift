import PhotoContracts
import RPC
import Storage
import TestSupport
import Testing
import Wire

@testable import PhotoService

@Suite("P18 P26 Albums from an account's own Immich", .timeLimit(.minutes(2)))
struct ImmichAlbumTests {
    private typealias Asset = ImmichSimulator.Asset
    private typealias Behaviour = ImmichSimulator.Behaviour

    private static let library = [
        Asset(number: 1), Asset(number: 2, latitude: 48.8590, month: "2024-12-01"), Asset(number: 3, isImage: false),
        Asset(number: 4, latitude: 60), Asset(number: 5, latitude: 48.8600, month: "2019-01-01"),
    ]

    @Test(
        "a pin's album shows what lies around it, whichever version the server has",
        arguments: [(1, 132), (2, 5), (2, 6), (3, 3)])
    func fills(major: Int, minor: Int) async throws {
        var behaviour = Behaviour(major: major, minor: minor)
        if !behaviour.hasAreas { behaviour.permissions.insert("map.read") }
        let photos = behaviour.hasAreas ? Self.library : Self.library.filter(\.isImage)
        try await ImmichWorld.with(ImmichSimulator(photos, key: ImmichWorld.key, behaviour)) { world in
            try await world.setKey()
            try await world.addPin()
            let album = try await world.service.album("pin/p1")
            #expect(album.album?.summary == AlbumSummary(state: .complete, photoCount: 3, readyCount: 3))
            #expect(try await world.numbers() == [1, 2, 5])
            let first = try #require(album.photos.first)
            #expect(first.sourceUrl == "\(world.url)/photos/11111111-aaaa-4aaa-8aaa-000000000001")
            #expect(first.originalUrl.isEmpty && first.thumbnailUrl.hasPrefix("/pictures/"))
            #expect(first.takenTime?.seconds == (behaviour.hasAreas ? 1_746_093_600 : nil))
            #expect(first.takenOffsetMinutes == (behaviour.hasAreas ? 120 : nil))
        }
    }

    @Test("one that wants a month by its day gets it so")
    func months() async throws {
        let simulator = ImmichSimulator(Self.library, key: ImmichWorld.key, Behaviour(refusesLongForm: true))
        try await ImmichWorld.with(simulator) { world in
            try await world.setKey()
            try await world.addPin()
            #expect(try await world.numbers() == [1, 2, 5])
        }
    }

    @Test("beside the antimeridian photos of both sides are found")
    func antimeridian() async throws {
        let library = [
            Asset(number: 1, latitude: -17, longitude: 179.999), Asset(number: 2, latitude: -17, longitude: -179.999),
            Asset(number: 3, latitude: -17, longitude: 0),
        ]
        try await ImmichWorld.with(ImmichSimulator(library, key: ImmichWorld.key)) { world in
            try await world.setKey()
            try await world.addPin("p1", -17, 179.999_9)
            #expect(Set(try await world.numbers()) == [1, 2])
        }
    }

    @Test("its pictures are shown through: each time from the server, whole, and nothing of them is stored")
    func pictures() async throws {
        try await ImmichWorld.with(ImmichSimulator(Self.library, key: ImmichWorld.key)) { world in
            try await world.setKey()
            try await world.addPin()
            let id = try #require(try await world.service.album("pin/p1").photos.first?.id)
            let asked = world.fixture.requests.count
            for _ in 0..<2 {
                let small = try await world.service.picture(id, .thumbnail)
                #expect(small.bytes == ImmichSimulator.thumbnail && small.info.mediaType == "image/webp")
                #expect(small.info.shownThrough && small.info.sha256 == BlobName(of: small.bytes).text)
            }
            let large = try await world.service.picture(id, .large)
            #expect(large.bytes == ImmichSimulator.preview && large.info.mediaType == "image/jpeg")
            #expect(world.fixture.requests.count == asked + 3)
            #expect(try await world.service.blobs.allNames().isEmpty)
        }
    }

    @Test("no other account sees them, by no way")
    func others() async throws {
        try await ImmichWorld.with(ImmichSimulator(Self.library, key: ImmichWorld.key)) { world in
            let service = world.service
            try await world.setKey()
            try await world.addPin()
            let id = try #require(try await service.album("pin/p1").photos.first?.id)
            try await world.addPin("p2", of: "bo")
            let near = PhotosNearRequest(48.8584, 2.2945, radius: 500)
            let bo = service.options(of: "bo")
            let noPhoto = try await errorOf { try await service.photo(id, of: "bo") }
            let noPicture = try await errorOf {
                for try await _ in service.photos.getPicture(GetPictureRequest(photoId: id), bo) {}
            }
            #expect(noPhoto?.code == .notFound && noPicture?.code == .notFound)
            #expect(try await service.photos.photosNear(near, bo).photos.isEmpty)
            #expect(try await service.photos.photosNear(near, service.options).photos.count == 3)
            // The album of bo's pin is searched, and has none of them.
            for try await answer in service.photos.watchAlbum(WatchAlbumRequest(subject: "pin/p2"), bo) {
                if answer.album?.summary?.state == .empty { break }
                #expect(answer.photos.isEmpty)
            }
        }
    }

    @Test("a photo that is deleted there is shown no more when the area is asked about again, and no favourite")
    func deleted() async throws {
        let simulator = ImmichSimulator(Self.library, key: ImmichWorld.key)
        try await ImmichWorld.with(simulator) { world in
            try await world.setKey()
            try await world.addPin()
            let first = try #require(try await world.service.album("pin/p1").photos.first?.id)
            _ = try await world.service.change(first, .add)
            simulator.delete(1)
            let early = try await errorOf { try await world.service.picture(first, .thumbnail) }
            #expect(early?.code == .notFound)
            try await world.forgetAreas()
            try await world.addPin("p2")
            #expect(try await world.numbers("pin/p2") == [2, 5])
            #expect(try await world.numbers("pin/p1") == [2, 5])
            #expect(try await world.service.favourites().isEmpty)
        }
    }

    @Test("what no album shows stays known with its area, and goes with it")
    func swept() async throws {
        try await ImmichWorld.with(ImmichSimulator(Self.library, key: ImmichWorld.key)) { world in
            try await world.setKey()
            try await world.addPin()
            let request = ForgetPinRequest(pinId: "p1")
            _ = try await world.service.search.forgetPin(request, world.service.peerOptions)
            try await world.service.sweep()
            let near = PhotosNearRequest(48.8584, 2.2945, radius: 500)
            let options = world.service.options
            #expect(try await world.service.photos.photosNear(near, options).photos.count == 3)
            try await world.forgetAreas()
            try await world.service.sweep()
            #expect(try await world.service.photos.photosNear(near, options).photos.isEmpty)
        }
    }
}
