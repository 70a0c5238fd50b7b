import Geo
import TestTools
import Testing

@Suite("P12 Filters, pages, boxes and several datasets")
struct FilterAndPageTests {
    static let seed = UInt64.random(in: 0...UInt64.max)

    /// A filter, and the same as a plain condition.
    static func filter(_ random: inout SeededGenerator) -> (PlaceFilter, @Sendable (Town) -> Bool) {
        let names = ["amenity", "amenity/cafe", "shop", "office", "nosuch"].map { Array($0.utf8) }
        let include = (0..<Int.random(in: 0...2, using: &random)).map { _ in random.one(of: names) }
        let exclude = (0..<Int.random(in: 0...1, using: &random)).map { _ in random.one(of: names) }
        let digit = Bool.random(using: &random) ? UInt8.random(in: 48...57, using: &random) : nil
        let other: PlaceFilter.Acceptance = { id, _ in id[2] != digit }
        let accepts = digit == nil ? nil : other
        return (
            PlaceFilter(include: include, exclude: exclude, accepts: accepts),
            { town in
                let isIn = include.isEmpty || include.contains { has(town, $0) }
                return isIn && !exclude.contains { has(town, $0) } && (digit == nil || town.id[2] != digit)
            }
        )
    }

    private static func has(_ town: Town, _ wanted: [UInt8]) -> Bool {
        town.categories.contains { $0 == wanted || $0.starts(with: wanted + [UInt8(ascii: "/")]) }
    }

    @Test("filtered searches, page by page, give what brute force gives", arguments: Shape.allCases)
    func pages(shape: Shape) throws {
        var random = SeededGenerator(seed: Self.seed)
        let folder = TemporaryFolder()
        let halves = [
            shape.towns(400, &random),
            shape.towns(170, &random).map { Town(id: $0.id + [0x7A], point: $0.point, categories: $0.categories) },
        ]
        let set = SnapshotSet(try halves.enumerated().map { try $1.snapshot(in: folder, name: "\($0)") })
        let towns = halves.flatMap { $0 }
        let scratch = SearchScratch()
        for _ in 0..<150 {
            let (filter, passes) = Self.filter(&random)
            let resolved = try set.resolve(filter)
            let centre = shape.centre(towns, &random)
            let radius = RadiusSearchTests.radius(centre, towns, &random)
            let all = towns.within(radius, of: centre, where: passes)
            let limit = random.one(of: [7, 40, 1_000])
            var (given, after, truncated): ([Found], SearchCursor?, Bool) = ([], nil, true)
            while truncated {
                let query = try NearbyQuery(
                    centre: centre, radiusMetres: radius, limit: limit, after: after, filter: resolved)
                truncated = try set.nearby(query, using: scratch).truncated
                given += try set.found(scratch)
                after = try scratch.hits.last.map(set.cursor(after:))
                #expect(try set.count(query, using: scratch) == all.count)
            }
            #expect(given == all, "seed \(Self.seed), \(shape), \(centre), \(radius) m, limit \(limit)")
        }
    }

    @Test("boxes in both orders give what brute force gives", arguments: Shape.allCases)
    func boxes(shape: Shape) throws {
        var random = SeededGenerator(seed: Self.seed)
        let folder = TemporaryFolder()
        let towns = shape.towns(500, &random)
        let set = SnapshotSet([try towns.snapshot(in: folder)])
        let scratch = SearchScratch()
        for _ in 0..<100 {
            let corners = (0..<2).map { _ in shape.centre(towns, &random) }
            let box = try Box(
                south: min(corners[0].latitude, corners[1].latitude), west: corners[0].longitude,
                north: max(corners[0].latitude, corners[1].latitude), east: corners[1].longitude)
            let (filter, passes) = Self.filter(&random)
            let centre = shape.centre(towns, &random)
            let near = towns.within(.infinity, of: centre) { box.contains($0.point) && passes($0) }
            let byID = near.map { Found(id: $0.id, metres: 0) }.sorted { $0.id.lexicographicallyPrecedes($1.id) }
            for (order, all) in [(BoxQuery.Order.distance(from: centre), near), (.id, byID)] {
                var (given, after, truncated): ([Found], SearchCursor?, Bool) = ([], nil, true)
                while truncated {
                    let query = try BoxQuery(
                        box: box, order: order, limit: 60, after: after, filter: set.resolve(filter))
                    truncated = try set.within(query, using: scratch).truncated
                    given += try set.found(scratch)
                    after = try scratch.hits.last.map(set.cursor(after:))
                }
                #expect(given == all, "seed \(Self.seed), \(shape), \(box), \(order)")
            }
        }
    }

    @Test("the nearest without a radius, none of nothing")
    func nearest() throws {
        var random = SeededGenerator(seed: Self.seed)
        let folder = TemporaryFolder()
        let towns =
            Shape.world.towns(300, &random)
            + Shape.clusters.towns(900, &random).map { Town(id: $0.id + [1], point: $0.point) }
        let set = SnapshotSet([try towns.snapshot(in: folder)])
        let scratch = SearchScratch()
        for _ in 0..<300 {
            let centre = Shape.world.centre(towns, &random)
            _ = try set.nearby(try NearbyQuery(centre: centre, limit: 12), using: scratch)
            let all = towns.within(.infinity, of: centre)
            #expect(try set.found(scratch) == Array(all.prefix(12)))
        }
        _ = try SnapshotSet([Snapshot]()).nearby(try NearbyQuery(centre: Shape.origin, limit: 12), using: scratch)
        #expect(scratch.hits.isEmpty)
    }

    @Test("datasets can be left out")
    func sources() throws {
        let folder = TemporaryFolder()
        let point = Coordinate.of(1, 1)
        let set = SnapshotSet(
            try ["a", "b"].map { try [Town(id: Array($0.utf8), point: point)].snapshot(in: folder, name: $0) })
        let scratch = SearchScratch()
        let only = try set.resolve(PlaceFilter(sources: [false, true]))
        _ = try set.nearby(try NearbyQuery(centre: point, limit: 5, filter: only), using: scratch)
        #expect(try set.found(scratch).map(\.id) == [Array("b".utf8)])
        let stale = SnapshotSet(set.snapshots)
        #expect(throws: GeoError.staleFilter) {
            try stale.nearby(try NearbyQuery(centre: point, limit: 5, filter: only), using: scratch)
        }
        #expect(throws: GeoError.staleFilter) { try set.resolve(PlaceFilter(sources: [true])) }
    }
}
