import Glibc
import TestTools
import Testing

@testable import Geo

@Suite("P14 The grid of the ledger")
struct GridTests {
    /// Points all over the Earth, many of them where numbers wrap.
    private static func points(_ count: Int, seed: UInt64) throws -> [Coordinate] {
        var random = SeededGenerator(seed: seed)
        return try (0..<count).map { number in
            let latitude =
                number % 4 == 0 ? Double.random(in: 89.9...90, using: &random) : .random(in: -90...90, using: &random)
            let longitude =
                number % 3 == 0
                ? Double.random(in: 179.99...180, using: &random) : .random(in: -180...180, using: &random)
            return try Coordinate(latitude: number % 8 == 0 ? -latitude : latitude, longitude: longitude)
        }
    }

    @Test("each point lies in its cell's area, and each cell is named once")
    func cells() throws {
        for point in try Self.points(2_000, seed: 1) + [Coordinate(latitude: 90, longitude: 0)] {
            let cell = GridCell(of: point)
            #expect(cell.area.leastMetres(from: point) == 0)
            #expect(cell.area.boxes.contains { $0.contains(point) })
            #expect(GridCell(of: cell.area.centre) == cell)
        }
    }

    @Test("a cover holds the cell of every point within the radius, and few others", arguments: [0, 50, 1_000, 20_000])
    func cover(radius: Double) throws {
        var random = SeededGenerator(seed: 2)
        for centre in try Self.points(radius > 1_000 ? 8 : 60, seed: 3) {
            let cells = GridCell.covering(centre, radiusMetres: radius)
            let known = Set(cells)
            #expect(known.count == cells.count)
            let most = 3.2 * (radius / 364 + 2) * (radius / 364 + 2) + 9
            #expect(Double(cells.count) < most, "\(centre)")
            for _ in 0..<100 {
                let point = centre.moved(by: radius * Double.random(in: 0...0.9999, using: &random), using: &random)
                #expect(known.contains(GridCell(of: point)), "\(centre) \(point)")
            }
        }
    }

    @Test("boxes and circles of a patch hold what its cells hold; its parts make it up")
    func patches() throws {
        var random = SeededGenerator(seed: 4)
        for centre in try Self.points(60, seed: 5) {
            let patch = try #require(GridPatch(GridCell.covering(centre, radiusMetres: 900)))
            let (boxes, circle) = (patch.boxes, patch.circle)
            #expect(boxes.count <= 12)
            for _ in 0..<50 {
                let point = centre.moved(by: 900 * Double.random(in: 0...0.9999, using: &random), using: &random)
                #expect(boxes.contains { $0.contains(point) })
                #expect(patch.hullBoxes.contains { $0.contains(point) })
                #expect(circle.centre.metres(to: point) <= circle.radiusMetres)
                #expect(patch.parts.contains { $0.boxes.contains { $0.contains(point) } })
            }
            for cell in patch.heldBesides {
                #expect(circle.centre.metres(to: cell.area.centre) <= circle.radiusMetres)
                #expect(!patch.cells.contains(cell))
            }
            let parts = patch.parts.reduce(0) { $0 + $1.squareMetres }
            #expect(abs(parts - patch.squareMetres) < patch.squareMetres * 1e-9)
        }
    }

    @Test("one cell can be split until it is some metres wide, and no further")
    func quarters() throws {
        var patch = try #require(GridPatch([GridCell(of: try Coordinate(latitude: 60, longitude: 25))]))
        var depth = 0
        while let part = patch.parts.first {
            #expect(patch.parts.count == 4)
            (patch, depth) = (part, depth + 1)
        }
        #expect(depth == 6)
        #expect(patch.circle.radiusMetres < 15)
    }
}

extension Coordinate {
    /// A point so far away in any direction.
    fileprivate func moved(by metres: Double, using random: inout SeededGenerator) -> Coordinate {
        let angle = metres / Distance.earthRadiusMetres
        let bearing = Double.random(in: 0..<2 * .pi, using: &random)
        let (up, along) = (latitude * .pi / 180, longitude * .pi / 180)
        let sine = sin(up) * cos(angle) + cos(up) * sin(angle) * cos(bearing)
        let east = atan2(sin(bearing) * sin(angle) * cos(up), cos(angle) - sin(up) * sine)
        var degrees = (along + east) * 180 / .pi
        if degrees > 180 { degrees -= 360 }
        if degrees < -180 { degrees += 360 }
        let latitude = asin(min(1, max(-1, sine))) * 180 / .pi
        return (try? Coordinate(latitude: latitude, longitude: degrees)) ?? self
    }
}
