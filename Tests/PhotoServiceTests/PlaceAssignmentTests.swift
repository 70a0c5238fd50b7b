import Geo
import TestTools
import Testing

@testable import PhotoService

@Suite("P18 Each photo goes to the nearest place within 100 m")
struct PlaceAssignmentTests {
    private static func bruteForce(_ point: Coordinate, _ places: [KnownPlace]) -> String? {
        places.map { (metres: point.metres(to: $0.position), id: $0.id) }.filter { $0.metres <= 100 }
            .min { ($0.metres, $0.id) < ($1.metres, $1.id) }?.id
    }

    /// Points around a corner of the Earth, some of them at the same spot.
    private static func points(_ count: Int, _ corner: (Double, Double), _ random: inout SeededGenerator) throws
        -> [Coordinate]
    {
        try (0..<count).map { _ in
            let latitude = corner.0 + Double(Int.random(in: 0...60, using: &random)) / 10_000
            let longitude = corner.1 + Double(Int.random(in: -60...60, using: &random)) / 10_000
            return try Coordinate(
                latitude: min(90, latitude), longitude: longitude > 180 ? longitude - 360 : longitude)
        }
    }

    @Test(
        "the same as by looking at all of them, also at the antimeridian and the poles",
        arguments: [(60.0, 25.0), (0, 180), (89.997, 10), (-89.999, -170), (-0.003, 0)])
    func oracle(corner: (Double, Double)) throws {
        var random = SeededGenerator(seed: 7)
        for count in [0, 1, 2, 300] {
            let places = try Self.points(count, corner, &random).enumerated().map {
                KnownPlace(id: "catalog/\($0)", position: $1)
            }
            let assignment = PlaceAssignment(places)
            var assigned = 0
            for point in try Self.points(400, corner, &random) {
                let found = assignment.place(of: point)?.id
                #expect(found == Self.bruteForce(point, places))
                assigned += found == nil ? 0 : 1
            }
            #expect(count < 300 || assigned > 0)
        }
    }

    @Test("of places equally near the first by the bytes of its id")
    func ties() throws {
        let position = try Coordinate(latitude: 1, longitude: 2)
        let places = ["b/1", "a/2", "a/10"].map { KnownPlace(id: $0, position: position) }
        #expect(PlaceAssignment(places).place(of: position)?.id == "a/10")
    }
}
