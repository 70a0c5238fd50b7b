import TestTools
import Testing

@testable import PlacesService

@Suite("P13 Centres of OpenStreetMap's shapes")
struct OSMGeometryTests {
    private func points(_ list: [(Int32, Int32)]) -> [GridPoint] {
        list.map { GridPoint(latitude: $0.0 * 1000, longitude: $0.1 * 1000) }
    }

    private func expect(_ centre: OSMCentre.Centre?, _ latitude: Double, _ longitude: Double) {
        #expect(centre.map { abs($0.latitude * 1e4 - latitude) < 1e-6 } == true, "\(String(describing: centre))")
        #expect(centre.map { abs($0.longitude * 1e4 - longitude) < 1e-6 } == true, "\(String(describing: centre))")
    }

    @Test("an area has its centre of gravity, whichever way it turns and wherever it begins")
    func areas() {
        let corner = [(0, 0), (0, 30), (10, 30), (10, 10), (30, 10), (30, 0), (0, 0)] as [(Int32, Int32)]
        expect(OSMCentre.ofArea([points(corner)]), 11, 11)
        expect(OSMCentre.ofArea([points(corner.reversed())]), 11, 11)
        expect(OSMCentre.ofArea([points(Array(corner[3...] + corner[1...3]))]), 11, 11)
        let far = corner.map { ($0.0 + 850_000, $0.1 - 1_799_000) }
        expect(OSMCentre.ofArea([points(far)]), 850_011, -1_798_989)
    }

    @Test("holes are taken off, and several rings count by their size")
    func holes() {
        let square = points([(0, 0), (0, 40), (40, 40), (40, 0), (0, 0)])
        let hole = points([(20, 0), (40, 0), (40, 40), (20, 40), (20, 0)])
        expect(OSMCentre.ofArea([square], holes: [hole]), 10, 20)
        let other = points([(0, 100), (0, 120), (20, 120), (20, 100), (0, 100)])
        expect(OSMCentre.ofArea([square, other]), 18, 38)
        // What is left is nothing: the outline's middle is better than a division by zero.
        expect(OSMCentre.ofArea([square], holes: [square]), 40, 40)
    }

    @Test("a line has its middle by length; a point is its own, and nothing has none")
    func lines() {
        expect(OSMCentre.middle(ofLine: points([(0, 0), (0, 10), (0, 40)])), 0, 20)
        expect(OSMCentre.middle(ofLine: points([(5, 7)])), 5, 7)
        expect(OSMCentre.middle(ofLine: points([(5, 7), (5, 7)])), 5, 7)
        #expect(OSMCentre.middle(ofLine: []) == nil)
        #expect(OSMCentre.ofArea([]) == nil && OSMCentre.ofArea([[]]) == nil)
    }

    @Test("what lies across the antimeridian has its centre there, told in one piece or in two")
    func antimeridian() {
        let west = points([(0, 1_799_990), (0, 1_800_000), (10, 1_800_000), (10, 1_799_990), (0, 1_799_990)])
        let east = points([(0, -1_800_000), (0, -1_799_970), (10, -1_799_970), (10, -1_800_000), (0, -1_800_000)])
        for rings in [[west, east], [east, west]] { expect(OSMCentre.ofArea(rings), 5, -1_799_990) }
        let whole = [(0, 1_799_990), (0, -1_799_970), (10, -1_799_970), (10, 1_799_990)] as [(Int32, Int32)]
        for start in 0...3 {
            let ring = Array(whole[start...] + whole[...start])
            expect(OSMCentre.ofArea([points(ring)]), 5, -1_799_990)
            expect(OSMCentre.ofArea([points(ring.reversed())], holes: [east]), 5, 1_799_995)
        }
        expect(OSMCentre.middle(ofLine: points([(0, 1_799_990), (0, -1_799_970)])), 0, -1_799_990)
        expect(OSMCentre.middle(ofLine: points([(0, -1_799_990), (0, 1_799_970)])), 0, 1_799_990)
        // The plane's two edges are one meridian.
        expect(OSMCentre.middle(ofLine: points([(0, -1_800_000), (0, 1_800_000)])), 0, -1_800_000)
    }

    @Test("what is wider than half of the Earth has its centre on the plane, and nothing overflows")
    func worldwide() {
        let coast = [-1_800_000, -600_000, 600_000, 1_800_000].map { (-700_000, $0) } as [(Int32, Int32)]
        expect(OSMCentre.middle(ofLine: points(coast)), -700_000, 0)
        let ring = coast + [(-900_000, 1_800_000), (-900_000, -1_800_000), coast[0]]
        expect(OSMCentre.ofArea([points(ring)]), -800_000, 0)
    }

    @Test("lines are joined to rings at shared ends, turned when need be; what stays open is given as it is")
    func joining() {
        #expect(OSMCentre.joined([[1, 2, 3], [5, 4, 3], [5, 6, 1]]) == [[1, 2, 3, 4, 5, 6, 1]])
        #expect(OSMCentre.joined([[1, 2, 1], [7, 8], [], [8, 9]]) == [[1, 2, 1], [7, 8, 9]])
        #expect(OSMCentre.joined([]) == [])
        let long = (0..<50_000).map { [Int64($0), Int64($0) + 1] } + [[50_000, 0]]
        #expect(OSMCentre.joined(long).map(\.count) == [50_002])
    }

    @Test("ids are found wherever the search begins, and only those that are there")
    func sortedIDs() {
        var numbers = SeededGenerator(seed: 12)
        for count in [0, 1, 2, 3, 50, 400] {
            let list =
                (0..<count).map { _ in Int64.random(in: -300...300, using: &numbers) }
                + (count > 2 ? [.min, .max] : [])
            let ids = SortedIDs(list)
            let expected = Set(list).sorted()
            #expect(ids.count == expected.count)
            var cursor = 0
            for _ in 0..<2000 {
                let id = Bool.random(using: &numbers) ? Int64.random(in: -310...310, using: &numbers) : list.last ?? 0
                #expect(ids.index(of: id, near: &cursor) == expected.firstIndex(of: id))
                #expect(ids.index(of: id) == expected.firstIndex(of: id))
            }
        }
    }
}
