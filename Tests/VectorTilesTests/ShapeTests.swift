import TestTools
import Testing
import VectorTiles

@Suite("Shapes of the map")
struct ShapeTests {
    private static let box = WorldBox(west: 0.2, north: 0.2, east: 0.4, south: 0.4)

    private static func points(_ pairs: [(Double, Double)]) -> [WorldPoint] {
        pairs.map { WorldPoint(x: $0.0, y: $0.1) }
    }

    /// A square around the middle of the world, as an outer ring.
    private static func square(_ half: Double) -> [WorldPoint] {
        points([(0.5 - half, 0.5 - half), (0.5 + half, 0.5 - half), (0.5 + half, 0.5 + half), (0.5 - half, 0.5 + half)])
    }

    @Test("a line is cut where it leaves the box, and goes on where it comes back")
    func lines() {
        let parts = Clipping.lines(
            of: Self.points([(0.1, 0.3), (0.3, 0.3), (0.3, 0.5), (0.35, 0.5), (0.35, 0.3)]), in: Self.box)
        #expect(parts.count == 2)
        #expect(parts.first == Self.points([(0.2, 0.3), (0.3, 0.3), (0.3, 0.4)]))
        #expect(parts.last?.first == WorldPoint(x: 0.35, y: 0.4) && parts.last?.last == WorldPoint(x: 0.35, y: 0.3))
        #expect(Clipping.lines(of: Self.points([(0.1, 0.1), (0.5, 0.1)]), in: Self.box).isEmpty)
    }

    @Test("random lines and rings that are cut lie in the box, and rings lose no area that is in it")
    func random() {
        var numbers = SeededGenerator(seed: 7)
        for _ in 0..<300 {
            let ring = (0..<Int.random(in: 3...12, using: &numbers)).map { _ in
                WorldPoint(x: .random(in: 0...0.6, using: &numbers), y: .random(in: 0...0.6, using: &numbers))
            }
            let room = Self.box.grown(by: 1e-12)
            #expect(Clipping.lines(of: ring, in: Self.box).joined().allSatisfy(room.contains))
            let cut = Clipping.ring(ring, in: Self.box)
            #expect(cut.allSatisfy(room.contains))
            // The parts of a ring in a box and beside it add up.
            let east = Clipping.ring(ring, in: WorldBox(west: 0.3, north: 0, east: 1, south: 1))
            let west = Clipping.ring(ring, in: WorldBox(west: 0, north: 0, east: 0.3, south: 1))
            #expect(abs(Rings.area(east) + Rings.area(west) - Rings.area(ring)) < 1e-9)
        }
    }

    @Test("a simplified line stays as near to the points that it has lost as it was said, and keeps its ends")
    func simplification() {
        var numbers = SeededGenerator(seed: 8)
        var line = [WorldPoint(x: 0, y: 0)]
        for step in 1...3000 {
            line.append(WorldPoint(x: Double(step) / 3000, y: .random(in: -0.002...0.002, using: &numbers)))
        }
        let simple = Simplification.simplified(line, tolerance: 0.01)
        #expect(simple.count < 10 && simple.first == line.first && simple.last == line.last)
        #expect(Simplification.simplified(line, tolerance: 0) == line)
        let peak = Self.points([(0, 0), (0.5, 0.2), (1, 0)])
        #expect(Simplification.simplified(peak, tolerance: 0.1) == peak)
        #expect(Simplification.simplified(peak, tolerance: 0.3).count == 2)
    }

    @Test("holes follow the ring that they are in, each ring turns as it should, and a hole in none is left out")
    func nesting() {
        let small = Self.square(0.01).map { WorldPoint(x: $0.x + 0.3, y: $0.y) }
        let rings = Rings.nested(
            outers: [small.reversed(), Self.square(0.2)],
            holes: [Self.square(0.1), Self.points([(0.1, 0.1), (0.11, 0.1), (0.11, 0.11)])])
        #expect(rings.map { Rings.area($0) > 0 } == [true, true, false])
        #expect(Set(rings[0]) == Set(small) && Set(rings[2]) == Set(Self.square(0.1)))
    }
}
