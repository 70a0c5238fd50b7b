import PlaceContracts
import RPC
import TestTools
import Testing

@testable import PlacesService

@Suite("P12 A13 Categories that are not there")
struct CategoryHintTests {
    private static let places =
        "id\tname\tlat\tlon\tcategory\n1\tA\t1\t2\tRestaurant\n2\tB\t1\t2\tamenity/restaurant/fish\n"
        + "3\tC\t1\t2\tamenity/fast_food\n4\tD\t1\t2\ttourism/museum\n5\tE\t40\t2\tshop/coffee\n"

    private static func near(_ categories: [String], datasets: [String] = []) -> NearbyRequest {
        NearbyRequest(
            centre: Coordinate(latitude: 1, longitude: 2), datasets: datasets, categories: categories)
    }

    @Test("are refused with the nearest that are, in circles and in boxes")
    func refused() async throws {
        try await TestService.run { service async throws in
            try await service.load(Self.places)
            for (wanted, hint) in [
                (
                    ["restaurant"],
                    "categories[0]: \"restaurant\" is no category of a place here; \"Restaurant\", \"amenity/restaurant\" are"
                ),
                (
                    ["shop/coffee", "museum"] + (0..<98).map { "x\($0)" },
                    "categories[1]: \"museum\" is no category of a place here; \"tourism/museum\" is"
                ),
                (
                    ["Amenity/Fast food"],
                    "categories[0]: \"Amenity/Fast food\" is no category of a place here; \"amenity/fast_food\" is"
                ),
                (
                    ["tourism/musuem"],
                    "categories[0]: \"tourism/musuem\" is no category of a place here; \"tourism/museum\" is"
                ),
            ] {
                let error = try await service.refusal { try await $0.nearby(Self.near(wanted), TestService.soon) }
                #expect(error.code == .invalidArgument && error.message == hint, "\(error.message)")
                let box = Box(
                    southWest: Coordinate(latitude: 0, longitude: 0), northEast: Coordinate(latitude: 3, longitude: 3))
                let within = WithinRequest(box: box, categories: wanted)
                let other = try await service.refusal { try await $0.within(within, TestService.soon) }
                #expect(other.message == hint)
            }
        }
    }

    @Test("give nothing when nothing is like the first of them, or places of them are only elsewhere")
    func empty() async throws {
        try await TestService.run { service async throws in
            try await service.load(Self.places)
            try await service.load("id\tname\tlat\tlon\tcategory\n1\tE\t50\t2\tshop/tea\n", into: "far")
            let long = String(repeating: "museum/", count: 36)
            for request in [
                Self.near(["zoo"]), Self.near(["zoo", "museum"]), Self.near([long]), Self.near(["shop/tea"]),
                Self.near(["museum"], datasets: ["far"]),
            ] {
                let answer = try await service.nearby(request)
                #expect(answer.places.isEmpty && answer.emptyReason != .unspecified)
            }
            #expect(try await service.nearby(Self.near(["museum", "Restaurant"])).places.map(\.name) == ["A"])
        }
    }

    @Test("come from columns called key and value, as those of OpenStreetMap")
    func keys() async throws {
        try await TestService.run { service async throws in
            try await service.load(
                "id,name,lat,lon,key,value\n1,A,1,2,amenity,cafe\n2,B,1,2,building,yes\n3,C,1,2,,\n", name: "a.csv")
            let places = try await service.nearby(Self.near([])).places
            #expect(places.map(\.categories) == [["amenity/cafe"], ["building"], []])
        }
    }
}
