import Testing
import VectorTiles

@Suite("Outlines of countries")
struct OutlinesTests {
    private static func points(_ pairs: [(Double, Double)]) -> [WorldPoint] {
        pairs.map { WorldPoint(x: $0.0, y: $0.1) }
    }

    /// Two squares side by side, as outer rings, which have three points of their border in common.
    private static let west = points([(0.1, 0.1), (0.2, 0.1), (0.2, 0.15), (0.2, 0.2), (0.1, 0.2)])
    private static let east = points([(0.2, 0.1), (0.3, 0.1), (0.3, 0.2), (0.2, 0.2), (0.2, 0.15)])

    @Test("become one land with one coast, and the border that two of them share is one line")
    func neighbours() throws {
        let outlines = Outlines([Self.west, Self.east])
        let land = outlines.land
        #expect(land.kind == .areas && land.parts.count == 1)
        #expect(abs(Rings.area(try #require(land.parts.first)) - 0.02) < 1e-9)
        #expect(outlines.coasts.parts.count == 1)
        #expect(outlines.coasts.parts.first?.first == outlines.coasts.parts.first?.last)
        #expect(outlines.borders.parts == [Self.points([(0.2, 0.1), (0.2, 0.15), (0.2, 0.2)])])
    }

    @Test("have borders that end where three meet")
    func three() {
        let south = Self.points([(0.1, 0.2), (0.2, 0.2), (0.3, 0.2), (0.3, 0.3), (0.1, 0.3)])
        let borders = Outlines([Self.west, Self.east, south]).borders.parts
        #expect(borders.count == 3)
        #expect(borders.allSatisfy { $0.dropFirst().dropLast().allSatisfy { $0 != WorldPoint(x: 0.2, y: 0.2) } })
    }

    @Test("keep holes, a sea within them too")
    func holes() {
        let sea = Self.points([(0.14, 0.14), (0.14, 0.16), (0.16, 0.16), (0.16, 0.14)])
        let outlines = Outlines([Self.west, sea])
        #expect(outlines.land.parts.map { Rings.area($0) > 0 } == [true, false])
        #expect(outlines.coasts.parts.count == 2)
    }

    @Test("have no coast where the map of the world is cut")
    func cut() {
        let peninsula = Self.points([(0, 0.2), (0.05, 0.2), (0.05, 0.3), (0, 0.3)])
        #expect(Outlines([peninsula]).coasts.parts == [Self.points([(0, 0.2), (0.05, 0.2), (0.05, 0.3), (0, 0.3)])])
        let pole = Self.points([(0, 0.9), (0.5, 0.8), (1, 0.9), (1, 1), (0, 1)])
        let outlines = Outlines([pole])
        #expect(outlines.coasts.parts == [Self.points([(0, 0.9), (0.5, 0.8), (1, 0.9)])])
        #expect(outlines.land.parts.count == 1)
    }
}
