import TestTools
import Testing

@testable import Geo

@Suite("P53 Clusters of a box")
struct ClusterTests {
    static let seed = UInt64.random(in: 0...UInt64.max)
    #if DEBUG
        static let rounds = 40
    #else
        static let rounds = 300
    #endif

    @Test("each point of the box is in one cluster, and no other point is", arguments: Shape.allCases)
    func exactCounts(shape: Shape) throws {
        var random = SeededGenerator(seed: Self.seed)
        let folder = TemporaryFolder()
        let towns = Array(
            Dictionary(shape.towns(900, &random).map { ($0.id, $0) }) { $1 }.values.sorted {
                $0.id.lexicographicallyPrecedes($1.id)
            })
        let set = SnapshotSet([try towns.snapshot(in: folder)])
        var index = PointIndex(towns.enumerated().map { IndexedPoint(Self.id($0), at: $1.point) })
        // A point that moves to where it was last has a layer below that no longer counts.
        for (number, town) in towns.enumerated().prefix(50) {
            index.apply([Self.id(number): Shape.origin])
            index.apply([Self.id(number): town.point])
        }
        for round in 0..<Self.rounds {
            let centre = shape.centre(towns, &random)
            let box = try Self.box(around: centre, &random)
            let (zoom, maximum) = (Int.random(in: 0...20, using: &random), random.one(of: [1, 7, 100, 800]))
            let inside = towns.filter { box.contains($0.point) }
            let place = "seed \(Self.seed), \(shape), round \(round): \(box), zoom \(zoom), at most \(maximum)"

            var places = Clusters<Hit>(in: box, zoom: zoom)
            _ = try set.count(into: &places)
            #expect(places.count == inside.count, "\(place)")
            let clusters = places.all(maximum: maximum)
            Self.check(clusters, inside.map(\.point), maximum, place)
            for cluster in clusters {
                guard let hit = cluster.item else { continue }
                let id = try unsafe set.withPlace(hit) { id, _ in unsafe Array(id) }
                #expect(inside.contains { $0.id == id && $0.point == cluster.position }, "\(place)")
            }

            var points = Clusters<PointID>(in: box, zoom: zoom)
            index.count(into: &points)
            #expect(points.count == inside.count, "\(place)")
            let marks = points.all(maximum: maximum)
            Self.check(marks, inside.map(\.point), maximum, place)
            for mark in marks {
                let point = towns[Int(try #require(mark.sample).low)].point
                #expect(mark.box?.contains(point) ?? (point == mark.position), "\(place)")
            }
        }
    }

    @Test("a point that is preferred stands for those it is counted with, however coarse the squares are")
    func preferred() throws {
        let points = (0..<60).map { IndexedPoint(Self.id($0), at: .of(60 + Double($0) / 1_000, 25)) }
        let box = Box(southE7: 590_000_000, westE7: 240_000_000, northE7: 610_000_000, eastE7: 260_000_000)
        for (zoom, maximum) in [(2, 100), (10, 1), (12, 7), (14, 100)] {
            var clusters = Clusters<PointID>(in: box, zoom: zoom)
            PointIndex(points).count(into: &clusters)
            // The first one counts where several are in one square; what was not counted changes nothing.
            for number in [41, 17, 42] { clusters.prefer(points[number].id, at: points[number].position) }
            clusters.prefer(Self.id(99), at: .of(59.5, 25))
            for cluster in clusters.all(maximum: maximum) where cluster.count > 1 {
                let inside = [41, 17, 42].filter { cluster.box?.contains(points[$0].position) == true }
                let sample = Int(try #require(cluster.sample).low)
                #expect(inside.isEmpty || inside.contains(sample), "zoom \(zoom), at most \(maximum)")
            }
            #expect(clusters.count == 60)
        }
    }

    private static func check<Item>(
        _ clusters: [PointCluster<Item>], _ inside: [Coordinate], _ maximum: Int, _ place: String
    ) {
        #expect(clusters.count <= maximum, "\(place)")
        #expect(clusters.reduce(0) { $0 + $1.count } == inside.count, "\(place)")
        for cluster in clusters {
            #expect((cluster.item == nil) == (cluster.count > 1), "\(place)")
            let around = cluster.box.map { box in inside.count { box.contains($0) } }
            #expect(around ?? inside.count { $0 == cluster.position } >= cluster.count, "\(place)")
        }
    }

    @Test("what passes a filter is counted, and nothing else")
    func filtered() throws {
        var random = SeededGenerator(seed: Self.seed)
        let folder = TemporaryFolder()
        let towns = Shape.clusters.towns(2_000, &random)
        let set = SnapshotSet([try towns.snapshot(in: folder)])
        let filter = try unsafe set.resolve(PlaceFilter(include: [Array("amenity".utf8)], exclude: []))
        var clusters = Clusters<Hit>(in: .world, zoom: 3)
        _ = try set.count(into: &clusters, filter)
        let wanted = towns.count {
            $0.categories.contains { String(decoding: $0, as: UTF8.self).split(separator: "/").first == "amenity" }
        }
        #expect(clusters.count == wanted)
    }

    @Test("a map that moves keeps the clusters that it shows whole")
    func steady() throws {
        var random = SeededGenerator(seed: Self.seed)
        let points = (0..<20_000).map { number in
            IndexedPoint(
                Self.id(number),
                at: .of(.random(in: 60.1...60.3, using: &random), .random(in: 24.8...25.2, using: &random)))
        }
        let index = PointIndex(points)
        let boxes = try [0.0, 0.013].map { shift in
            try Box(south: 60.15 + shift, west: 24.9 + shift, north: 60.2 + shift, east: 25 + shift)
        }
        let both = boxes.map { box in
            var clusters = Clusters<PointID>(in: box, zoom: 13)
            index.count(into: &clusters)
            return clusters.all(maximum: 800)
        }
        // Squares of zoom 13 are about 0.0055 degrees wide, and half as high.
        let common = try Box(south: 60.169, west: 24.92, north: 60.194, east: 24.993)
        let marks = both.map { clusters in
            clusters.filter { common.contains($0.position) }.map { [$0.count, Int($0.position.latitudeE7)] }.sorted {
                $0[1] < $1[1]
            }
        }
        #expect(marks[0].count > 30)
        #expect(marks[0] == marks[1])
    }

    @Test("the count of many points in one square looks at few of them")
    func looksAtFew() throws {
        let folder = TemporaryFolder()
        var random = SeededGenerator(seed: Self.seed)
        let towns = Shape.clusters.towns(20_000, &random)
        let set = SnapshotSet([try towns.snapshot(in: folder)])
        var clusters = Clusters<Hit>(in: .world, zoom: 2)
        let outcome = try set.count(into: &clusters)
        #expect(clusters.count == set.count)
        #expect(outcome.tested < clusters.count / 5)
    }

    private static func id(_ number: Int) -> PointID { PointID(high: 1, low: UInt64(number)) }

    private static func box(around centre: Coordinate, _ random: inout SeededGenerator) throws -> Box {
        if Int.random(in: 0..<8, using: &random) == 0 { return .world }
        let size = random.one(of: [0.001, 0.1, 3, 180.0])
        let (high, wide) = (Double.random(in: 0...size, using: &random), Double.random(in: 0...size, using: &random))
        return try Box(
            south: max(-90, centre.latitude - high), west: Shape.point(0, centre.longitude - wide).longitude,
            north: min(90, centre.latitude + high), east: Shape.point(0, centre.longitude + wide).longitude)
    }
}
