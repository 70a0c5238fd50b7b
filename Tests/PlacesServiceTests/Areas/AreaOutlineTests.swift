import BaseContracts
import Glibc
import PlaceContracts
import RPC
import TestTools
import Testing
import Wire

@testable import PlacesService

@Suite("P63 The border of an area, as lines to draw")
struct AreaOutlineTests {
    /// A town that is a circle of many points, with a hole, and an island that is a dot.
    private static var file: MapFile {
        var file = MapFile()
        func circle(_ radius: Double, _ count: Int, at middle: (Double, Double) = (10.5, 20.5)) -> Int64 {
            let corners = (0..<count).map { step in
                let angle = Double(step) * 2 * .pi / Double(count)
                return (middle.0 + radius * sin(angle), middle.1 + radius * cos(angle))
            }
            return file.way(corners, closed: true)
        }
        let ways = [
            (circle(0.3, 1900), "outer"), (circle(0.1, 900), "inner"), (circle(0.001, 20, at: (10.9, 20.9)), "outer"),
        ]
        file.relation(
            ways,
            [
                ("type", "boundary"), ("boundary", "administrative"), ("admin_level", "8"), ("name", "Round"),
                ("name:fi", "Pyöreä"),
            ])
        file.node(10.3, 20.5, [("amenity", "cafe"), ("name", "Café")])
        return file
    }

    private static let town = "id\tname\tcategories\tlat\tlon\n1\tFar\tplace/town\t10.3\t20.5\n"

    private func run(_ body: (TestService, (GetAreaRequest) async throws -> GetAreaResponse) async throws -> Void)
        async throws
    {
        let sources = Geocoder.Sources(areas: try .bundled())
        try await TestService.run(geocoder: Geocoder(sources)) { service in
            try await service.load(Self.town, into: "towns")
            try await service.load(Self.file.bytes, into: "land", name: "land.osm.pbf")
            try await body(service) { try await service.client.getArea($0, TestService.soon) }
        }
    }

    private func id(_ service: TestService) async throws -> String {
        let there = ReverseGeocodeRequest(position: Coordinate(latitude: 10.3, longitude: 20.5))
        let areas = try await service.client.reverseGeocode(there, TestService.soon).areas
        return try #require(areas.first { $0.name == "Round" }?.id)
    }

    /// The points of a line, in degrees.
    private func points(_ line: AreaLine) -> [(latitude: Double, longitude: Double)] {
        var (north, east): (Int64, Int64) = (0, 0)
        return stride(from: 0, to: line.steps.count - 1, by: 2).map { index in
            north += Int64(line.steps[index])
            east += Int64(line.steps[index + 1])
            return (Double(north) / 1e6, Double(east) / 1e6)
        }
    }

    @Test("an area has its name, its box and lines, whose points are on its border; the closer one looks the more")
    func town() async throws {
        try await run { service, area in
            let id = try await id(service)
            let near = try await area(GetAreaRequest(area: id, zoom: 14, languages: ["fi"]))
            #expect(near.name == "Pyöreä" && near.kind == .region && near.level == 8 && near.lines.count == 3)
            #expect(near.box?.southWest?.latitude == 10.2)
            let counts = near.lines.map { $0.steps.count / 2 }.sorted()
            for line in near.lines where line.steps.count > 100 {
                let whole = points(line)
                #expect(
                    whole.first?.latitude == whole.last?.latitude && whole.first?.longitude == whole.last?.longitude)
                for point in whole {
                    let away = hypot(point.latitude - 10.5, point.longitude - 20.5)
                    #expect(min(abs(away - 0.3), abs(away - 0.1)) < 0.000_01)
                }
            }
            let far = try await area(GetAreaRequest(area: id, zoom: 7))
            #expect(far.name == "Round" && far.lines.count == 2, "the island is no larger than a dot")
            #expect(far.lines.reduce(0) { $0 + $1.steps.count / 2 } < 60 && counts.reduce(0, +) > 150)
        }
    }

    @Test("a country of the world has its coast and its border, and not the borders of its regions")
    func country() async throws {
        try await run { _, area in
            let whole = try await area(GetAreaRequest(area: "country/FI", zoom: 5))
            #expect(whole.name == "Finland" && whole.kind == .country && !whole.lines.isEmpty)
            // Between Uusimaa and Häme, far from Finland's border.
            for line in whole.lines {
                for point in points(line) {
                    #expect(!(60.6...62.5).contains(point.latitude) || !(24.0...26.0).contains(point.longitude))
                }
            }
            let region = try await area(GetAreaRequest(area: "region/FI/Uusimaa", zoom: 5))
            #expect(region.name == "Uusimaa" && region.kind == .region)
        }
    }

    @Test(
        "however close one looks at however large an area, the lines have 5,000 points at most",
        arguments: ["country/CA", "country/RU", "country/AQ", "country/ID"])
    func bounded(id: String) async throws {
        try await run { _, area in
            let whole = try await area(GetAreaRequest(area: id, zoom: 22))
            let count = whole.lines.reduce(0) { $0 + $1.steps.count / 2 }
            #expect((500...AreaOutline.mostPoints).contains(count))
            #expect(whole.packedBytes().count < 100_000)
        }
    }

    @Test("an area that is not known is refused by name, and so is a zoom level that no map has")
    func refused() async throws {
        try await run { service, _ in
            for request in [
                GetAreaRequest(area: "country/QQ"), GetAreaRequest(), GetAreaRequest(area: "country/FI", zoom: 23),
            ] {
                let refused = try await service.refusal { try await $0.getArea(request, TestService.soon) }
                let field = request.zoom > 22 ? "zoom" : "area"
                #expect(refused.code == .invalidArgument && refused.message.contains(field))
            }
        }
    }
}
