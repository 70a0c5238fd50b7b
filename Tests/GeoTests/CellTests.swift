import Geo
import TestTools
import Testing

@Suite("Cells for SQL")
struct CellTests {
    @Test("cover every point of a circle with at most 16 ranges", arguments: Shape.allCases)
    func superset(shape: Shape) {
        var random = SeededGenerator(seed: 3)
        let towns = shape.towns(400, &random)
        for _ in 0..<300 {
            let centre = shape.centre(towns, &random)
            let radius = RadiusSearchTests.radius(centre, towns, &random)
            let ranges = Cell.cover(centre: centre, radiusMetres: radius)
            #expect((1...Cell.maximumRanges).contains(ranges.count))
            #expect(zip(ranges, ranges.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound })
            for town in towns where centre.metres(to: town.point) <= radius {
                let cell = Cell.id(of: town.point)
                #expect(ranges.contains { $0.contains(cell) }, "\(town.point) from \(centre) within \(radius)")
            }
        }
    }

    @Test("of a small circle reach over a small part of the Earth only")
    func tight() {
        let ranges = Cell.cover(centre: .of(60.17, 24.94), radiusMetres: 1_000)
        let covered = ranges.reduce(0.0) { $0 + Double($1.count) }
        // The circle's box is 0.018° × 0.036° of 360° × 180° (times the unused part of the plane).
        let box = 0.018 * 0.036 / (360 * 180) * 0x1p62 * 0.703
        #expect(covered < 8 * box)
    }

    @Test("cover boxes across the antimeridian and at poles")
    func boxes() throws {
        var random = SeededGenerator(seed: 5)
        for _ in 0..<300 {
            let south = Double.random(in: -90...90, using: &random)
            let box = try Box(
                south: south, west: .random(in: -180...180, using: &random),
                north: random.one(of: [90, .random(in: south...90, using: &random)]),
                east: random.one(of: [180, .random(in: -180...180, using: &random)]))
            let ranges = Cell.cover(box)
            #expect(ranges.count <= Cell.maximumRanges)
            for _ in 0..<50 {
                let point = Coordinate.of(
                    random.one(of: [90, -90, .random(in: -90...90, using: &random)]),
                    .random(in: -180...180, using: &random))
                guard box.contains(point) else { continue }
                #expect(ranges.contains { $0.contains(Cell.id(of: point)) }, "\(point) of \(box)")
            }
        }
    }

    @Test("are below 2^62 and differ for different points")
    func distinct() {
        var random = SeededGenerator(seed: 9)
        let towns = Shape.world.towns(2_000, &random) + Shape.line.towns(2_000, &random)
        let cells = Set(towns.map { Cell.id(of: $0.point) })
        #expect(cells.count == Set(towns.map(\.point)).count)
        #expect(cells.allSatisfy { (0..<(1 << 62)).contains($0) })
    }
}
