import PlaceContracts
import RPC
import Testing
import Wire

@testable import PlacesService

@Suite("P12 Answers made of stored places")
struct PlacesAnswerTests {
    /// Records below and above each length at which a varint grows, and one with everything in it.
    static let table =
        "id\tname\tcategories\tlat\tlon\tnote\nfull\tÉtoile \t a/b ; c;\t1.00000004\t2\tx\n"
        + [1, 30, 40, 50, 60, 70, 71, 72, 73, 74, 75, 76, 80, 200, 16_000, 16_240, 16_260, 16_280, 16_300, 20_000]
        .enumerated().map {
            "\($0)\tn\t\t1\t2.00\($0 + 1)\t\(String(repeating: "y", count: $1))\n"
        }.joined()

    @Test("are byte for byte what protobuf-c packs")
    func bytes() async throws {
        try await TestService.run { service in
            try await service.load(Self.table)
            let request = NearbyRequest(
                centre: BaseContracts.Coordinate(latitude: 1, longitude: 2), radiusM: 50_000, limit: 200,
                includeCount: true
            )
            let packed = try await service.packed(request)
            let message = try packed.unpacked()
            #expect(message.places.count == 21)
            #expect(packed.bytes == message.packedBytes())
            for limit in 1...20 as ClosedRange<UInt32> {
                var page = request
                page.limit = limit
                let packed = try await service.packed(page)
                #expect(packed.bytes == (try packed.unpacked().packedBytes()))
            }
        }
    }

    @Test("hold what the file says, positions rounded to 1e-7 degrees, and nothing for empty fields")
    func content() async throws {
        try await TestService.run { service in
            try await service.load(Self.table)
            let answer = try await service.nearby(
                NearbyRequest(centre: BaseContracts.Coordinate(latitude: 1, longitude: 2), limit: 1))
            let place = try #require(answer.places.first)
            #expect(
                place
                    == Place(
                        id: "catalog/test/full", name: "Étoile ", categories: ["a/b", "c"],
                        position: BaseContracts.Coordinate(latitude: 1, longitude: 2),
                        attributes: [Attribute(key: "note", value: "x")], distanceM: 0))
        }
    }

    @Test(
        "keep only the fields asked for",
        arguments: [[], ["name"], ["position", "distance_m"], ["categories", "attributes"], ["id"]])
    func mask(fields: [String]) async throws {
        try await TestService.run { service in
            try await service.load(Self.table)
            let answer = try await service.nearby(
                NearbyRequest(centre: BaseContracts.Coordinate(latitude: 1, longitude: 2), limit: 1, fields: fields))
            let place = try #require(answer.places.first)
            let all = fields.isEmpty
            #expect(place.id == "catalog/test/full")
            #expect(place.name.isEmpty == !(all || fields.contains("name")))
            #expect((place.position == nil) == !(all || fields.contains("position")))
            #expect((place.distanceM == nil) == !(all || fields.contains("distance_m")))
            #expect(place.categories.isEmpty == !(all || fields.contains("categories")))
            #expect(place.attributes.isEmpty == !(all || fields.contains("attributes")))
        }
    }

    @Test("end early rather than outgrow a frame, and go on with the next page")
    func longPages() async throws {
        let filler = String(repeating: "z", count: 60_000)
        let table = "id\tname\tlat\tlon\tnote\n" + (0..<100).map { "\($0)\tn\t1\t2\t\(filler)\n" }.joined()
        try await TestService.run { service in
            try await service.load(table)
            var request = NearbyRequest(centre: BaseContracts.Coordinate(latitude: 1, longitude: 2), limit: 200)
            var found: [String] = []
            var pages = 0
            repeat {
                let answer = try await service.nearby(request)
                #expect(answer.truncated == !answer.nextPageToken.isEmpty)
                found.append(contentsOf: answer.places.map(\.id))
                request.pageToken = answer.nextPageToken
                pages += 1
            } while !request.pageToken.isEmpty && pages < 10
            #expect(pages > 1)
            #expect(found == (0..<100).map { "catalog/test/\($0)" }.sorted())
        }
    }
}

extension TestService {
    /// The answer as it comes, packed.
    fileprivate func packed(_ request: NearbyRequest) async throws -> Packed<NearbyResponse> {
        let method = PlacesServiceMethods.nearby
        return Packed(bytes: try await rpc.unaryBytes(method, request.packedBytes(), Self.soon))
    }
}
