import Geo
import TestTools
import Testing

@Suite("P9 The smallest box")
struct BoxTests {
    @Test("of no points is none") func empty() { #expect(Box(around: []) == nil) }

    @Test("of one point is that point")
    func one() throws {
        let box = try #require(Box(around: [.of(48.2, 16.4)]))
        #expect((box.south, box.north, box.west, box.east) == (48.2, 48.2, 16.4, 16.4))
    }

    @Test("goes across the antimeridian when that is shorter")
    func antimeridian() throws {
        let box = try #require(Box(around: [.of(-17, 179.5), .of(-18, -179), .of(-16, 180)]))
        #expect(box.crossesAntimeridian)
        #expect((box.west, box.east) == (179.5, -179))
        #expect(box.centre.longitude == -179.75)
        #expect(!box.contains(.of(-17, 0)))
        #expect(box.contains(.of(-17, 179.9)))
    }

    @Test("asks nothing of the longitude of a pole")
    func pole() throws {
        let box = try #require(Box(around: [.of(90, -120), .of(80, 10), .of(81, 12)]))
        #expect((box.south, box.north, box.west, box.east) == (80, 90, 10, 12))
        #expect(box.contains(.of(90, 55)))
        let poles = try #require(Box(around: [.of(90, 5), .of(-90, 77)]))
        #expect(poles.contains(.of(90, 5)) && poles.contains(.of(-90, 77)))
    }

    @Test("holds every point and leaves out the widest gap")
    func random() throws {
        var random = SeededGenerator(seed: 11)
        for _ in 0..<2_000 {
            let count = Int.random(in: 1...6, using: &random)
            let points = (0..<count).map { _ in
                Coordinate.of(.random(in: -89...89, using: &random), .random(in: -180...180, using: &random))
            }
            let box = try #require(Box(around: points))
            #expect(points.allSatisfy(box.contains))
            let sorted = points.map(\.longitude).sorted()
            let around = sorted[0] + 360 - sorted[count - 1]
            let gap = zip(sorted, sorted.dropFirst()).map { $1 - $0 }.reduce(around, max)
            let width = box.east - box.west + (box.crossesAntimeridian ? 360 : 0)
            #expect(abs(width - (360 - gap)) < 1e-6)
        }
    }

    @Test("refuses edges that make no box")
    func refused() {
        #expect(throws: GeoError.self) { try Box(south: 2, west: 0, north: 1, east: 0) }
        #expect(throws: GeoError.self) { try Box(south: 0, west: -200, north: 1, east: 0) }
        #expect(throws: GeoError.self) { try Box(south: .nan, west: 0, north: 1, east: 0) }
    }

    @Test("with both edges at 180 degrees is a meridian, not the world")
    func meridian() throws {
        let box = try Box(south: -5, west: 180, north: 5, east: 180)
        #expect(box.contains(.of(0, -180)) && !box.contains(.of(0, 0)))
        let half = try Box(south: -5, west: 0, north: 5, east: 180)
        #expect(half.contains(.of(0, 180)) && half.contains(.of(0, 90)) && !half.contains(.of(0, -90)))
        #expect(Box.world.contains(.of(3, 3)) && Box.world.contains(.of(-90, 0)) && Box.world.contains(.of(3, 180)))
    }
}
