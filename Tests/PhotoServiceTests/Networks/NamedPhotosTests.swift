import PhotoContracts
import HTTP
import RPC
import Storage
import TestSupport
import TestTools
import Testing

@testable import PhotoService

@Suite("P18 The album of a place begins with the photos that its own entry names", .timeLimit(.minutes(5)))
struct NamedPhotosTests {
    private static let place = "catalog/osm/bridge"
    private static let subject = "place/\(place)"
    private static let tags = ["wikimedia_commons=File:Second.jpg;File:First.jpg;Category:Bridge", "wikidata=Q42"]

    /// Files of which one is found by its position alone, and the others by name.
    private static let files: [CommonsFixture.File] = [
        .init(id: 1, title: "File:First.jpg", isNear: false), .init(id: 2, title: "File:Second.jpg", isNear: false),
        .init(id: 3, title: "File:Of the category.jpg", isNear: false, category: "Category:Bridge"),
        .init(id: 4, title: "File:Of the item.jpg", isNear: false), .init(id: 5, title: "File:Near.jpg"),
    ]

    private func with(
        _ commons: CommonsFixture, _ body: (RunningPhotoService, HTTPFixture) async throws -> Void
    ) async throws {
        try await TemporaryFolder.with { folder in
            try await HTTPFixture.with(commons.answer) { fixture, url in
                let arguments = [
                    "--commons-url", "\(url)/w/api.php", "--commons-files", "\(url)/files", "--wikidata-url",
                    "\(url)/items/api.php", "--contact", "a@b.example", "--commons-rate", "1000",
                ]
                try await RunningPhotoService.working(in: folder, arguments: arguments) { service in
                    try await body(service, fixture)
                }
            }
        }
    }

    private func search(_ tags: [String]?, _ service: RunningPhotoService, pin: String = "p1") async throws {
        let position = Coordinate(latitude: 48.8584, longitude: 2.2945)
        let request = SearchAlbumsRequest(
            pinId: pin, generation: 1, centre: position, radiusM: 500,
            places: [
                PlacePoint(id: Self.place, position: position, pictureTags: tags.map { PictureTags(tags: $0) })
            ], isLast: true)
        _ = try await service.search.searchAlbums(request, service.peerOptions)
        try await service.watchToEnd("pin/\(pin)")
    }

    private func open(_ service: RunningPhotoService) async throws -> OpenAlbumResponse {
        try await service.photos.openAlbum(OpenAlbumRequest(subject: Self.subject), service.options)
    }

    /// Each photo of the place's album, and why it is there.
    private func album(_ service: RunningPhotoService) async throws -> [String] {
        try await service.album(Self.subject).photos.map { photo in
            "\(photo.id) \(photo.reason == .named ? "named" : photo.reason == .near ? "near" : "?")"
        }
    }

    @Test("in the order of its tags, before those near it, each with its reason; nothing is asked until it is opened")
    func order() async throws {
        let commons = CommonsFixture(Self.files, images: ["Q42": "Of the item.jpg"])
        try await with(commons) { service, fixture in
            try await search(Self.tags, service)
            #expect(try await album(service) == ["commons/5 near"])
            let asked = fixture.requests.count
            _ = try await open(service)
            try await service.watch(Self.subject) { $0.album?.summary?.readyCount == 5 }
            #expect(
                try await album(service) == [
                    "commons/2 named", "commons/1 named", "commons/4 named", "commons/3 named", "commons/5 near",
                ])
            // One that says no place is where the place is.
            #expect(try await service.photo("commons/1", of: "ann").position?.latitude == 48.8584)
            let files = fixture.requests.count
            #expect(files == asked + 3 + 4, "an item, files, a category, and the bytes of four")
            // Opening it again asks nobody.
            _ = try await open(service)
            try await search(nil, service, pin: "p2")
            #expect(fixture.requests.count == files)
        }
    }

    @Test("a place without photos near it is being searched while its own are looked for, and is empty without any")
    func alone() async throws {
        let gate = Gate()
        let commons = CommonsFixture(Array(Self.files.prefix(2)), namesGate: gate)
        try await with(commons) { service, _ in
            try await search(["image=File:First.jpg"], service)
            #expect(try await service.album(Self.subject).album?.summary?.state == .empty)
            #expect(try await open(service).album?.summary?.state == .searching)
            gate.open()
            try await service.watchToEnd(Self.subject)
            #expect(try await album(service) == ["commons/1 named"])
        }
    }

    @Test("what the entry does not name any more goes, what a new collection swaps are the others")
    func changes() async throws {
        let commons = CommonsFixture(Self.files)
        try await with(commons) { service, _ in
            try await search(["image=File:First.jpg;File:Second.jpg"], service)
            _ = try await open(service)
            try await service.watch(Self.subject) { $0.album?.summary?.readyCount == 3 }
            _ = try await service.photos.newCollection(
                NewCollectionRequest(subject: Self.subject), service.options)
            try await service.watch(Self.subject) { $0.album?.collection == 2 }
            #expect(try await album(service) == ["commons/1 named", "commons/2 named", "commons/5 near"])
            try await search(["image=File:Second.jpg"], service, pin: "p2")
            _ = try await open(service)
            try await service.watch(Self.subject) { $0.photos.count == 2 }
            #expect(try await album(service) == ["commons/2 named", "commons/5 near"])
        }
    }

    @Test("a network that gives no answer costs its part, and is asked again when the album is opened")
    func refused() async throws {
        let busy = HTTPResponse(503)
        let commons = CommonsFixture(Self.files, images: ["Q42": "Of the item.jpg"], failures: [])
        try await with(commons) { service, _ in
            try await search(Self.tags, service)
            commons.fail(with: [busy])
            _ = try await open(service)
            // The item is not answered; the files are.
            try await service.watch(Self.subject) { $0.album?.warning.isEmpty == false }
            #expect(
                try await album(service) == ["commons/2 named", "commons/1 named", "commons/3 named", "commons/5 near"])
            _ = try await open(service)
            try await service.watch(Self.subject) { $0.album?.warning.isEmpty == true }
            #expect(try await album(service).contains("commons/4 named"))
        }
    }

    @Test(
        "tags beyond the limits are refused",
        arguments: [
            Array(repeating: "image=File:A.jpg", count: 9), [String(repeating: "a", count: 1_001)], ["image=\n"],
        ])
    func refusedTags(tags: [String]) async throws {
        try await RunningPhotoService.with { service in
            let error = try await errorOf {
                try await service.search.searchAlbums(
                    SearchAlbumsRequest(
                        pinId: "p1", generation: 1, centre: Coordinate(latitude: 1, longitude: 2), radiusM: 500,
                        places: [
                            PlacePoint(
                                id: Self.place, position: Coordinate(latitude: 1, longitude: 2),
                                pictureTags: PictureTags(tags: tags))
                        ], isLast: true), service.peerOptions)
            }
            #expect(error?.code == .invalidArgument && error?.message.contains("picture_tags.tags") == true)
        }
    }
}
