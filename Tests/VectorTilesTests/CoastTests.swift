import Glibc
import Testing
import VectorTiles

@Suite("The sea at coasts")
struct CoastTests {
    private static let box = WorldBox(west: 0.2, north: 0.2, east: 0.4, south: 0.4)

    private static func points(_ pairs: [(Double, Double)]) -> [WorldPoint] {
        pairs.map { WorldPoint(x: $0.0, y: $0.1) }
    }

    /// How often the sea runs around a point.
    private static func turns(_ sea: [[WorldPoint]], _ x: Double, _ y: Double) -> Int {
        sea.reduce(0) { sum, ring in
            Rings.contains(ring, WorldPoint(x: x, y: y)) ? sum + (Rings.area(ring) > 0 ? 1 : -1) : sum
        }
    }

    private static func sea(_ lines: [[(Double, Double)]]) -> [[WorldPoint]] {
        var coast = Coast(in: box)
        for line in lines { coast.add(points(line)) }
        return coast.sea()
    }

    @Test("the sea is on the right of a coast, and closed along the edge where the coast ends")
    func coast() throws {
        var coast = Coast(in: Self.box)
        // Northwards through the middle: the water is in the east. It ends before the edge.
        coast.add(Self.points([(0.3, 0.39), (0.3, 0.21)]))
        // An island in the sea: the land is on the left, so on this map it turns against the clock.
        let island = Self.points([(0.35, 0.3), (0.35, 0.31), (0.36, 0.31), (0.36, 0.3), (0.35, 0.3)])
        coast.add(island)
        let sea = coast.sea()
        #expect(sea.count == 2)
        let outer = try #require(sea.first)
        #expect(abs(Rings.area(outer) - 0.02) < 1e-9)
        #expect(
            Rings.contains(outer, WorldPoint(x: 0.38, y: 0.25)) && !Rings.contains(outer, WorldPoint(x: 0.25, y: 0.25)))
        #expect(Rings.area(sea[1]) < 0)

        var alone = Coast(in: Self.box)
        alone.add(island)
        #expect(alone.sea().map(\.count) == [4, 4])
        #expect(Coast(in: Self.box).sea().isEmpty)
    }

    @Test("where the data was cut, the sea goes on beyond the edge")
    func ledOn() throws {
        var coast = Coast(in: Self.box, ledOnBy: 0.1)
        // Its last piece runs along the edge, which is near: it is led there the shortest way.
        coast.add(Self.points([(0.3, 0.41), (0.3, 0.215), (0.29, 0.215)]))
        let outer = try #require(coast.sea().first)
        #expect(outer.contains { $0.y < 0.11 && abs($0.x - 0.29) < 0.02 })
        #expect(Rings.contains(outer, WorldPoint(x: 0.45, y: 0.15)))
        #expect(!Rings.contains(outer, WorldPoint(x: 0.25, y: 0.205)))
    }

    @Test("a coast that crosses the box twice leaves two seas, and a closed one that leaves the box is one piece")
    func crossings() {
        var two = Coast(in: Self.box)
        two.add(Self.points([(0.25, 0.5), (0.25, 0.1)]).reversed())
        two.add(Self.points([(0.35, 0.5), (0.35, 0.1)]))
        let sea = two.sea()
        #expect(sea.count == 2)
        #expect(abs(sea.reduce(0) { $0 + Rings.area($1) } - 2 * 0.05 * 0.2) < 1e-9)

        var closed = Coast(in: Self.box)
        // An island whose east is beyond the edge, begun inside.
        closed.add(Self.points([(0.3, 0.3), (0.3, 0.35), (0.5, 0.35), (0.5, 0.25), (0.3, 0.25), (0.3, 0.3)]))
        let around = closed.sea()
        #expect(around.count == 1)
        #expect(abs(around.reduce(0) { $0 + Rings.area($1) } - (0.04 - 0.01)) < 1e-9)
    }

    /// The land is in the north. Its coast begins in the south-west corner, within a hair's breadth of the edge, dips
    /// out of the box twice, and ends in it.
    private static let hook = [
        (0.23, 0.3992), (0.228, 0.4004), (0.236, 0.4006), (0.238, 0.399), (0.24, 0.4002), (0.243, 0.4002), (0.25, 0.39),
        (0.3, 0.33), (0.33, 0.27), (0.35, 0.24),
    ]

    @Test("a coast that dips out of an extract near its end leaves land and sea where they are")
    func dips() {
        let sea = Self.sea([Self.hook])
        for (x, y) in [(0.3, 0.25), (0.21, 0.3), (0.25, 0.37), (0.22, 0.39)] { #expect(Self.turns(sea, x, y) == 0) }
        for (x, y) in [(0.35, 0.35), (0.3, 0.38), (0.39, 0.25)] { #expect(Self.turns(sea, x, y) == 1) }
    }

    @Test("a line that is there twice, the wrong way round, or in pieces with a gap makes the same sea")
    func faults() {
        let coast = [(0.1, 0.3), (0.25, 0.31), (0.3, 0.3), (0.31, 0.3), (0.35, 0.31), (0.5, 0.3)]
        let pieces = [Array(coast[0...1]), Array(coast[1...3]), Array(coast[3...5])]
        let faults = [
            [coast], pieces, pieces + pieces, pieces.reversed() + [coast],
            [pieces[0], pieces[1].reversed(), pieces[2]],
            [Array(coast[0...2]), Array(coast[3...5])],
        ]
        for lines in faults {
            let sea = Self.sea(lines)
            #expect(Self.turns(sea, 0.3, 0.35) == 1 && Self.turns(sea, 0.3, 0.25) == 0, "\(lines)")
        }
    }

    @Test("an island that is the wrong way round is one, and an inner sea with an island stays")
    func rings() {
        let coast = [(0.1, 0.3), (0.5, 0.3)]
        func square(_ x: Double, _ y: Double, _ half: Double) -> [(Double, Double)] {
            [(x, y - half), (x - half, y), (x, y + half), (x + half, y), (x, y - half)]
        }
        let sea = Self.sea([
            coast, square(0.3, 0.35, 0.02).reversed(), square(0.3, 0.25, 0.02).reversed(), square(0.3, 0.25, 0.01),
        ])
        #expect(Self.turns(sea, 0.3, 0.35) == 0 && Self.turns(sea, 0.25, 0.35) == 1)
        #expect(Self.turns(sea, 0.3, 0.25) == 0 && Self.turns(sea, 0.3, 0.235) == 1 && Self.turns(sea, 0.25, 0.25) == 0)
    }

    @Test("coasts that contradict each other leave the longer one")
    func contradiction() {
        let sea = Self.sea([[(0.1, 0.3), (0.5, 0.3)], [(0.25, 0.45), (0.24, 0.39), (0.2, 0.38)]])
        #expect(Self.turns(sea, 0.3, 0.35) == 1 && Self.turns(sea, 0.3, 0.25) == 0)
    }

    @Test("an island does not flood what a longer coast was left out of, whose ends are far within the data")
    func lost() {
        let known = WorldBox(west: 0.22, north: 0.22, east: 0.38, south: 0.38)
        let island = Self.points([(0.37, 0.37), (0.37, 0.372), (0.372, 0.372), (0.372, 0.37), (0.37, 0.37)])
        for (length, turns) in [(0.001, 1), (0.03, 0), (0.16, 1)] {
            var coast = Coast(in: Self.box, hasData: known.contains)
            coast.add(Self.points([(0.3 - length / 2, 0.3), (0.3 + length / 2, 0.3)]))
            coast.add(island)
            #expect(Self.turns(coast.sea(), 0.3, 0.35) == turns, "\(length)")
        }
    }

    @Test("the sea lies on both sides of the antimeridian, also where a line steps over it")
    func antimeridian() {
        var coast = Coast(in: WorldBox(west: -0.1, north: 0.2, east: 1.1, south: 0.4))
        // An island across it.
        coast.add(Self.points([(0.99, 0.3), (0.99, 0.31), (0.01, 0.31), (0.01, 0.3), (0.99, 0.3)]))
        let sea = coast.sea()
        for (x, y) in [(0.995, 0.305), (0.005, 0.305)] { #expect(Self.turns(sea, x, y) == 0) }
        for (x, y) in [(0.98, 0.305), (0.02, 0.305), (0.5, 0.305), (0.005, 0.29)] {
            #expect(Self.turns(sea, x, y) == 1)
        }
    }

    @Test("thousands of islands in several seas are all kept, each with its sea")
    func islands() {
        let seas = [0.1, 0.5].map { west in
            (0..<400).map { step in
                let angle = Double(step) / 400 * 2 * .pi
                return WorldPoint(x: west + 0.2 + 0.2 * cos(angle), y: 0.5 + 0.2 * sin(angle))
            }
        }
        let islands = (0..<5000).map { index in
            let (x, y) = (0.1 + Double(index % 100) * 0.008, 0.4 + Double(index / 100) * 0.004)
            return Self.points([(x, y), (x, y + 0.001), (x + 0.001, y)])
        }
        let rings = Rings.nested(outers: seas, holes: islands)
        let inside = islands.count { island in
            seas.contains { sea in island.allSatisfy { Rings.contains(sea, $0) } }
        }
        #expect(inside > 2000 && rings.count(where: { Rings.area($0) < 0 }) >= inside)
    }
}
