import PinContracts
import PlaceContracts
import Geo
import TestSupport
import Testing

@testable import PinService

@Suite("One question about the places around a pin tells which it links and which are their neighbours")
struct PlacesAroundTests {
    @Test(
        "a pin with 935 places is asked about once, and each page is one transaction",
        arguments: [0, 200])
    func once(neighbours: Int) async throws {
        let places = DiscoveryTests.places(935 + neighbours)
        try await PinWorld.with(places) { world in
            let created = try await world.create(CreatePinRequest(60, 25, radius: 935, name: "here"))
            let pin = try await world.untilPin(created.id) { $0.searches.first?.state == .done }
            #expect(pin.placeCount == 935 && pin.searches.first?.truncated == false)
            #expect(places.asked.count == (935 + neighbours + 199) / 200)
        }
    }

    @Test("a network that has more than a pin links within its circle is cut, and its neighbours end 200 metres behind")
    func cut() throws {
        var around = PlacesAround(try Self.pin(radius: 2_000), of: PlaceNetwork(name: "catalog", maximumLinks: 3))
        let part = around.take(try Self.page([10, 20, 30, 31, 229, 231, 232], next: "more"))
        #expect(part.links.map(\.id) == ["10", "20", "30"])
        #expect(part.neighbours.map(\.id) == ["31", "229"])
        #expect(around.isCut && around.isComplete && around.linkCount == 3)
    }

    @Test("just as many as a pin links are not cut, and its neighbours end 200 metres behind the circle")
    func whole() throws {
        var around = PlacesAround(try Self.pin(radius: 50), of: PlaceNetwork(name: "catalog", maximumLinks: 3))
        let first = around.take(try Self.page([10, 20], next: "more"))
        #expect(first.links.count == 2 && first.neighbours.isEmpty && !around.isComplete)
        let second = around.take(try Self.page([30, 51, 249, 251], next: ""))
        #expect(second.links.map(\.id) == ["30"] && second.neighbours.map(\.id) == ["51", "249"])
        #expect(!around.isCut && around.isComplete)
    }

    private static func pin(radius: Double) throws -> PinService.Pin {
        PinService.Pin(
            PinDraft(position: try .init(latitude: 60, longitude: 25), radiusMetres: radius, name: "here"),
            id: PinID(high: 1, low: 1), account: "ann", networks: [], unixMilliseconds: 0)
    }

    private static func page(_ metres: [Double], next: String) throws -> PlacePage {
        let places = try metres.map { metres in
            let point = PlaceContracts.Place.north(metres, of: 60, 25, id: "").position
            return NetworkPlace(
                id: "\(Int(metres))", name: "", categories: [],
                position: try .init(latitude: point?.latitude ?? 0, longitude: point?.longitude ?? 0))
        }
        return PlacePage(places: places, next: next)
    }
}
