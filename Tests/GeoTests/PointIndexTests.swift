import TestTools
import Testing

@testable import Geo

@Suite("P12 Points that change while they are searched")
struct PointIndexTests {
    static let seed = UInt64.random(in: 0...UInt64.max)
    #if DEBUG
        static let changes = 60
    #else
        static let changes = 400
    #endif

    /// What must be found, beside the index.
    private struct Model {
        var points: [PointID: Coordinate] = [:]
        var index = PointIndex()

        mutating func apply(_ changes: [PointID: Coordinate?]) {
            index.apply(changes)
            for (id, position) in changes { points[id] = position }
        }

        var all: Set<IndexedPoint> { Set(points.map { IndexedPoint($0.key, at: $0.value) }) }

        func hits(from centre: Coordinate, _ radiusMetres: Double) -> [PointHit] {
            points.map { PointHit(id: $0.key, position: $0.value, metres: centre.metres(to: $0.value)) }
                .filter { $0.metres <= radiusMetres }.sorted()
        }
    }

    private static func id(_ number: Int, _ random: inout SeededGenerator) -> PointID {
        PointID(high: .random(in: 0...3, using: &random), low: UInt64(number))
    }

    @Test("searches find what brute force finds, whatever was put in, moved or taken out", arguments: Shape.allCases)
    func equalsBruteForce(shape: Shape) throws {
        var random = SeededGenerator(seed: Self.seed)
        let scratch = SearchScratch()
        // Two indexes are searched as one.
        var (model, other) = (Model(), Model())
        let towns = shape.towns(600, &random)
        let start = towns.prefix(300).enumerated().map { IndexedPoint(Self.id($0, &random), at: $1.point) }
        model.index = PointIndex(start)
        model.points = Dictionary(start.map { ($0.id, $0.position) }) { $1 }
        other.apply(
            Dictionary(towns.suffix(40).enumerated().map { (Self.id(1_000_000 + $0, &random), $1.point) }) { $1 })
        for round in 0..<Self.changes {
            model.apply(Self.changes(of: model, shape, towns, round, &random))
            #expect(Set(model.index.points) == model.all, "seed \(Self.seed), \(shape), change \(round)")
            let centre = shape.centre(towns, &random)
            let radius = random.one(of: [0, 30, 2_000, 90_000, 3e6, Distance.halfGirthMetres, .infinity])
            let limit = random.one(of: [1, 2, 10, 50, 1_000])
            let found = try PointIndex.nearest(
                in: [model.index, other.index], to: centre, radiusMetres: radius, limit: limit, using: scratch)
            let expected = (model.hits(from: centre, radius) + other.hits(from: centre, radius)).sorted()
            let place = "seed \(Self.seed), \(shape), change \(round): \(radius) m around \(centre), limit \(limit)"
            #expect(found.isTruncated == (expected.count > limit), "\(place)")
            let reach = expected.count > limit ? expected[limit - 1].metres : .infinity
            #expect(found.hits == expected.filter { $0.metres <= reach }, "\(place)")
            let box = try Self.box(around: centre, &random)
            var inside: Set<IndexedPoint> = []
            model.index.forEach(in: box) { inside.insert($0) }
            #expect(inside == model.all.filter { box.contains($0.position) }, "\(place), \(box)")
        }
        #expect(model.index.layers.count < 12)
    }

    private static func changes(
        of model: Model, _ shape: Shape, _ towns: [Town], _ round: Int, _ random: inout SeededGenerator
    ) -> [PointID: Coordinate?] {
        var changes: [PointID: Coordinate?] = [:]
        for number in 0..<random.one(of: [0, 1, 3, 40]) {
            changes[id(1_000 * (round + 1) + number, &random)] = shape.centre(towns, &random)
        }
        let known = model.points.keys.sorted().shuffled(using: &random)
        for id in known.prefix(random.one(of: [0, 1, 30])) { changes[id] = shape.centre(towns, &random) }
        for id in known.suffix(random.one(of: [0, 0, 2, 40])) { changes.updateValue(nil, forKey: id) }
        // One that is not there, and one that stays where it is.
        changes.updateValue(nil, forKey: PointID(high: 9, low: 9))
        if let id = known.dropFirst(31).first, changes[id] == nil { changes[id] = model.points[id] }
        return changes
    }

    private static func box(around centre: Coordinate, _ random: inout SeededGenerator) throws -> Box {
        let (high, wide) = (Double.random(in: 0...3, using: &random), Double.random(in: 0...200, using: &random))
        return try Box(
            south: max(-90, centre.latitude - high), west: Shape.point(0, centre.longitude - wide / 2).longitude,
            north: min(90, centre.latitude + high), east: Shape.point(0, centre.longitude + wide / 2).longitude)
    }

    @Test("a change that changes nothing takes no space, and an index without points none at all")
    func unchanged() {
        let points = (0..<100).map { IndexedPoint(PointID(high: 0, low: $0), at: Coordinate.of(60, Double($0))) }
        var index = PointIndex(points)
        index.apply(Dictionary(points.map { ($0.id, $0.position) }) { $1 })
        #expect(index.layers.count == 1)
        index.apply(Dictionary(points.map { ($0.id, nil) }) { $1 })
        #expect(index.isEmpty)
        index.apply([PointID(high: 7, low: 7): nil])
        #expect(index.isEmpty)
    }

    @Test("a point takes at most 40 bytes, also where points change")
    func size() {
        var random = SeededGenerator(seed: Self.seed)
        var index = PointIndex(
            (0..<10_000).map { IndexedPoint(PointID(high: 0, low: $0), at: Shape.clusters.centre([], &random)) })
        #expect(index.byteCount <= 10_000 * 26)
        for round in 0..<200 as Range<UInt64> {
            let ids = (0..<10 as Range<UInt64>).map { PointID(high: 0, low: (round * 7_919 + $0 * 613) % 10_000) }
            index.apply(Dictionary(ids.map { ($0, Shape.clusters.centre([], &random)) }) { $1 })
            #expect(index.byteCount <= 10_000 * 40, "seed \(Self.seed), round \(round)")
        }
    }

    @Test("all that are as near as the last one asked for are given, so that others may order them")
    func ties() throws {
        let points = (0..<500).map { IndexedPoint(PointID(high: 1, low: $0), at: Coordinate.of(60, 25)) }
        let farther = IndexedPoint(PointID(high: 0, low: 0), at: Coordinate.of(60.001, 25))
        let found = try PointIndex.nearest(
            in: [PointIndex(points + [farther])], to: Coordinate.of(60, 25), radiusMetres: 1_000, limit: 3,
            using: SearchScratch())
        #expect(found.hits.map(\.id) == points.map(\.id))
        #expect(found.isTruncated)
    }

    @Test("a search ends when its checkpoint throws")
    func checkpoint() {
        struct Enough: Error {}
        let points = (0..<10_000).map { IndexedPoint(PointID(high: 1, low: $0), at: Coordinate.of(60, 25)) }
        #expect(throws: Enough.self) {
            try PointIndex.nearest(
                in: [PointIndex(points)], to: Coordinate.of(60, 25), radiusMetres: 1, limit: 1, using: SearchScratch()
            ) { tested in if tested >= 8_000 { throw Enough() } }
        }
    }
}

extension PointIndex {
    fileprivate var points: [IndexedPoint] {
        var points: [IndexedPoint] = []
        forEach { points.append($0) }
        return points
    }
}
