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
                let found = assignment.place(of: point)?.place.id
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
        #expect(PlaceAssignment(places).place(of: position)?.place.id == "a/10")
    }

    @Test("of a photo whose camera looked at places: the nearest of these, however near others are")
    func facing() throws {
        let camera = try Coordinate(latitude: 60, longitude: 25)
        // 11 m north, 33 m east, 66 m east.
        let places = [("north", 60.0001, 25.0), ("east", 60, 25.0006), ("far", 60, 25.0012)]
        let assignment = PlaceAssignment(
            try places.map { KnownPlace(id: $0, position: try Coordinate(latitude: $1, longitude: $2)) })
        let looking: (Double) -> PlaceAssignment.Assigned? = { heading in
            assignment.place(of: camera, looking: CameraView(heading: heading, angle: 40))
        }
        #expect(looking(90)?.place.id == "east" && looking(90)?.isFaced == true)
        #expect(looking(75)?.place.id == "east")
        // Beside north, over the turn.
        #expect(looking(350)?.place.id == "north" && looking(350)?.isFaced == true)
        #expect(looking(200)?.place.id == "north" && looking(200)?.isFaced == false)
        #expect(assignment.place(of: camera)?.isFaced == false)
    }

    @Test("where a camera stands, its direction says nothing about the place")
    func standing() throws {
        let camera = try Coordinate(latitude: 60, longitude: 25)
        let assignment = PlaceAssignment([KnownPlace(id: "a/1", position: camera)])
        let found = assignment.place(of: camera, looking: CameraView(heading: 0, angle: 180))
        #expect(found?.place.id == "a/1" && found?.isFaced == false)
    }

    @Test(
        "a view is in whole degrees from 0 to 359, and of flat pictures",
        arguments: [
            (359.6, 0), (-10.0, 350), (720.0, 0), (90.4, 90),
        ])
    func views(heading: Double, stored: Int) {
        #expect(CameraView(heading: heading, angle: nil)?.heading == stored)
        #expect(CameraView(heading: .nan, angle: 60) == nil && CameraView(heading: 1e300, angle: 60) == nil)
        #expect(CameraView(heading: 10, angle: 360) == nil && CameraView(heading: 10, angle: 0) == nil)
    }
}
