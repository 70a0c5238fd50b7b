import Testing

@testable import Geo

@Suite("P12 The nearest of a stream of points")
struct NearestSelectionTests {
    private static let centre = Coordinate(uncheckedLatitudeE7: 600_000_000, longitudeE7: 250_000_000)

    /// About 110 m a step.
    private static func latitudeE7(step: Int) -> Int32 { 600_000_000 + Int32(step) * 10_000 }

    private func select(
        _ points: [(id: Int, latitudeE7: Int32)], radiusMetres: Double, limit: Int
    ) -> NearestSelection<Int> {
        var selection = NearestSelection<Int>(centre: Self.centre, radiusMetres: radiusMetres, limit: limit)
        for point in points {
            selection.offer(Coordinate(uncheckedLatitudeE7: point.latitudeE7, longitudeE7: 250_000_000)) { point.id }
        }
        return selection
    }

    @Test("is what sorting all of them gives, whatever the limit and the order", arguments: [1, 2, 3, 7, 50, 1_000])
    func likeSorting(limit: Int) {
        // Many at the same distance, north and south of the centre.
        let points = (0..<500).map { id in (id: id, latitudeE7: Self.latitudeE7(step: id * 7_919 % 41 - 20)) }
        let sorted = points.map { NearestSelection<Int>.Hit(metres: metres($0.latitudeE7), id: $0.id) }
            .filter { $0.metres <= 1_500 }.sorted()
        for order in [points, points.reversed(), points.sorted { $0.latitudeE7 < $1.latitudeE7 }] {
            let selection = select(order, radiusMetres: 1_500, limit: limit)
            #expect(selection.nearest == Array(sorted.prefix(limit)))
            #expect(selection.matchCount == sorted.count)
            #expect(selection.isTruncated == (sorted.count > limit))
        }
    }

    @Test("takes equally near ones by id, in whichever order they come")
    func ties() {
        let points = [5, 3, 9, 1, 7].map { (id: $0, latitudeE7: Int32(600_000_000)) }
        let selection = select(points, radiusMetres: 0, limit: 2)
        #expect(selection.nearest.map(\.id) == [1, 3])
        #expect(selection.matchCount == 5)
    }

    @Test("asks for the id only of what may be chosen, and passes its error on")
    func lazyID() {
        struct Refused: Error {}
        var selection = NearestSelection<Int>(centre: Self.centre, radiusMetres: 10, limit: 1)
        let far = Coordinate(uncheckedLatitudeE7: 610_000_000, longitudeE7: 250_000_000)
        #expect(throws: Never.self) { try selection.offer(far) { () throws(Refused) in throw Refused() } }
        #expect(throws: Refused.self) { try selection.offer(Self.centre) { () throws(Refused) in throw Refused() } }
    }

    private func metres(_ latitudeE7: Int32) -> Double {
        Distance.metres(from: Self.centre, to: Coordinate(uncheckedLatitudeE7: latitudeE7, longitudeE7: 250_000_000))
    }
}
