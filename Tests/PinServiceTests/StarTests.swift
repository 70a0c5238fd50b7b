import PinContracts
import RPC
import Storage
import TestSupport
import TestTools
import Testing
import Wire

@testable import PinService

@Suite("P52 places with a star", .timeLimit(.minutes(2)))
struct StarTests {
    @Test("what is shown of a place is kept with its star, and a second star changes it and not its time")
    func kept() async throws {
        try await RunningPinService.with { service in
            let place = StarredPlace(
                id: "catalog/helsinki/n1", name: " Café <b>Ekberg</b> ", categories: ["amenity/cafe", "food"],
                position: Coordinate(latitude: 60.1648, longitude: 24.9387), where: "Esplanadi")
            let kept = try await service.star(place)
            #expect(kept.name == "Café <b>Ekberg</b>" && kept.categories == place.categories)
            #expect(kept.position == place.position && kept.where == "Esplanadi")
            #expect(kept.starTime?.seconds == RunningPinService.now / 1_000)
            _ = try await service.star(Self.place("openstreetmap/node/2"))
            var other = place
            other.name = "Ekberg"
            #expect(try await service.star(other).name == "Ekberg")
            let listed = try await service.starred
            #expect(listed.map(\.id) == ["openstreetmap/node/2", "catalog/helsinki/n1"])
            #expect(listed.last?.name == "Ekberg" && listed.last?.starTime == kept.starTime)
        }
    }

    @Test("a star is taken away once, and a repeated change with its name gets the first answer")
    func removed() async throws {
        try await RunningPinService.with { service in
            let give = StarPlaceRequest(place: Self.place("catalog/a/1"), requestId: "star-1")
            let given = try await service.stars.starPlace(give, service.of("ann"))
            let take = UnstarPlaceRequest(id: "catalog/a/1", requestId: "star-2")
            #expect(try await service.stars.unstarPlace(take, service.of("ann")).hadStar)
            #expect(try await service.stars.unstarPlace(take, service.of("ann")).hadStar)
            #expect(try await service.stars.starPlace(give, service.of("ann")) == given)
            #expect(try await service.starred == [])
            let again = UnstarPlaceRequest(id: "catalog/a/1")
            #expect(try await !service.stars.unstarPlace(again, service.of("ann")).hadStar)
        }
    }

    @Test("pages have each place once, those that got their star last first; no other account sees them")
    func pages() async throws {
        try await RunningPinService.with { service in
            let ids = (1...7).map { "catalog/a/\($0)" }
            for id in ids { _ = try await service.star(Self.place(id)) }
            var (found, token, sizes) = ([String](), "", [Int]())
            repeat {
                let request = ListStarsRequest(pageSize: 3, pageToken: token)
                let page = try await service.stars.listStars(request, service.of("ann"))
                (found, token) = (found + page.places.map(\.id), page.nextPageToken)
                sizes.append(page.places.count)
            } while !token.isEmpty
            #expect(found == ids.reversed() && sizes == [3, 3, 1])
            #expect(try await service.stars.listStars(ListStarsRequest(), service.of("bob")).places == [])
            let taken = UnstarPlaceRequest(id: ids[0])
            #expect(try await !service.stars.unstarPlace(taken, service.of("bob")).hadStar)
            #expect(try await service.starred.count == 7)
            await refused("page_token: \"x\" is not allowed") {
                _ = try await service.stars.listStars(ListStarsRequest(pageToken: "x"), service.of("ann"))
            }
        }
    }

    @Test("an account gives 10,000 stars at most; one of them can still be changed")
    func limit() async throws {
        try await TemporaryFolder.with { folder in
            try await RunningPinService.with(folder: folder) { service, store in
                let places = try (0..<10_000).map { try PinService.StarredPlace(Self.place("catalog/a/\($0)"), at: 0) }
                try await store.database.write { transaction throws(SQLError) in
                    for place in places { _ = try transaction.putStar(place, of: "ann") }
                }
                await refused("10000 places have your star already", .resourceExhausted) {
                    _ = try await service.star(Self.place("catalog/a/more"))
                }
                _ = try await service.star(Self.place("catalog/a/7"))
                _ = try await service.stars.unstarPlace(UnstarPlaceRequest(id: "catalog/a/8"), service.of("ann"))
                _ = try await service.star(Self.place("catalog/a/more"))
            }
        }
    }

    @Test(
        "an id that is none is refused with what is allowed",
        arguments: ["", "7", "/7", "catalog/", "Catalog/7", "cat alog/7", "catalog/a\nb", "<script>/7"])
    func ids(id: String) async throws {
        try await RunningPinService.with { service in
            await refused("place.id: ") { _ = try await service.star(Self.place(id)) }
            await refused("id: ") {
                _ = try await service.stars.unstarPlace(UnstarPlaceRequest(id: id), service.of("ann"))
            }
        }
    }

    @Test("texts, categories and positions that are none are refused with what is allowed")
    func fields() async throws {
        let long = String(repeating: "x", count: 4_000_000)
        let mistakes: [(String, (inout PinContracts.StarredPlace) -> Void)] = [
            ("place.name: 4000000 characters are not allowed; at most 200 are", { $0.name = long }),
            ("place.name: a control character or a line's end is not allowed", { $0.name = "a\u{0}b" }),
            ("place.where: a control character or a line's end is not allowed", { $0.where = "a\nb" }),
            (
                "place.categories: 21 entries are not allowed; at most 20 are",
                { $0.categories = .init(repeating: "a", count: 21) }
            ),
            (
                "place.categories[1]: 256 characters are not allowed; at most 255 are",
                { $0.categories = ["a", String(long.prefix(256))] }
            ),
            ("place.categories[0]: it is missing", { $0.categories = [" "] }),
            ("place.categories[0]: a control character", { $0.categories = ["a\u{1f}b"] }),
            ("place.position: it is missing", { $0.position = nil }),
            ("place.position.latitude: 91.0 is not allowed", { $0.position = Coordinate(latitude: 91, longitude: 0) }),
            (
                "place.position.longitude: nan is not allowed",
                { $0.position = Coordinate(latitude: 0, longitude: .nan) }
            ),
            (
                "place.star_time: it is set; only answers have it",
                { $0.starTime = TimestampMessage(unixMilliseconds: 1) }
            ),
        ]
        try await RunningPinService.with { service in
            for (words, spoil) in mistakes {
                var place = Self.place("catalog/a/1")
                spoil(&place)
                await refused(words) { _ = try await service.star(place) }
            }
            await refused("place: it is missing") {
                _ = try await service.stars.starPlace(StarPlaceRequest(), service.of("ann"))
            }
            let left = try await service.starred
            #expect(left == [])
        }
    }

    private static func place(_ id: String) -> PinContracts.StarredPlace {
        StarredPlace(id: id, position: Coordinate(latitude: 60, longitude: 25))
    }
}

private typealias StarredPlace = PinContracts.StarredPlace

/// Expects that a call is refused with words that begin so.
private func refused(_ words: String, _ code: RPCCode = .invalidArgument, _ call: () async throws -> Void) async {
    let error = await #expect(throws: RPCError.self) { try await call() }
    #expect(error?.code == code && error?.message.hasPrefix(words) == true, "\(error?.message ?? "")")
}

extension RunningPinService {
    fileprivate func star(_ place: PinContracts.StarredPlace) async throws -> PinContracts.StarredPlace {
        try #require(try await stars.starPlace(StarPlaceRequest(place: place), of("ann")).place)
    }

    fileprivate var starred: [PinContracts.StarredPlace] {
        get async throws { try await stars.listStars(ListStarsRequest(), of("ann")).places }
    }
}
