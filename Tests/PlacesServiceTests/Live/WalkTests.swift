import PlaceContracts
import Geo
import Glibc
import HTTP
import Synchronization
import TestSupport
import TestTools
import Testing

@testable import PlacesService

@Suite("P14 A walk over the map", .timeLimit(.minutes(2)))
struct WalkTests {
    /// Square metres that a request asks for.
    private static func area(_ request: HTTPRequest, _ kind: LiveKind) -> Double {
        guard kind == .openstreetmap else {
            let radius = Double(request.query["radius"] ?? "") ?? 0
            return .pi * radius * radius
        }
        return FixtureCity.boxes(in: request).reduce(0) { sum, box in
            let radians = Double.pi / 180
            let height = sin(box.north * radians) - sin(box.south * radians)
            let radius = Distance.earthRadiusMetres
            return sum + radius * radius * height * (box.east - box.west) * radians
        }
    }

    private static let starts: [(seed: UInt64, latitude: Double, longitude: Double)] = [
        (1, 60.17, 24.94), (2, 0, 0), (3, -33.86, 179.99), (4, 45, -120),
    ]

    @Test(
        "of 100 moves by half a radius asks for at most 35 % of the circles' area, in no more requests than moves, and finds all that is there",
        arguments: [LiveKind.openstreetmap, .foursquare], starts)
    func walk(kind: LiveKind, start: (seed: UInt64, latitude: Double, longitude: Double)) async throws {
        let radius = 1_000.0
        var random = SeededGenerator(seed: start.seed)
        let centre = Shapes.point(start.latitude, start.longitude)
        let city = try FixtureCity(300, around: centre, reachMetres: 8_000, seed: start.seed)
        let asked = Mutex(0.0)
        try await TestService.live(
            kind,
            answer: { request in
                asked.withLock { $0 += Self.area(request, kind) }
                return kind.answer(city, request)
            }
        ) { service, fixture in
            var point = centre
            for _ in 1...100 {
                point = try point.moved(by: radius / 2, using: &random)
                let result = try await service.discover(point, radius: radius)
                #expect(result.placeCount == UInt32(city.count(around: point, radius)))
            }
            let share = asked.withLock { $0 } / (100 * Double.pi * radius * radius)
            #expect(share <= 0.35, "\(share)")
            #expect(fixture.requests.count <= 100)
        }
    }
}

extension Geo.Coordinate {
    /// A point so far away in any direction; for distances that are small beside the Earth.
    fileprivate func moved(by metres: Double, using random: inout SeededGenerator) throws -> Geo.Coordinate {
        let bearing = Double.random(in: 0..<2 * .pi, using: &random)
        let degree = 111_195.08
        var east = longitude + metres * sin(bearing) / (degree * cos(latitude * .pi / 180))
        if east > 180 { east -= 360 }
        if east < -180 { east += 360 }
        return try Geo.Coordinate(latitude: latitude + metres * cos(bearing) / degree, longitude: east)
    }
}
