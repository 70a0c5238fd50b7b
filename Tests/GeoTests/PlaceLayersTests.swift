@testable import Geo
import TestTools
import Testing

@Suite("P12 Places that change while they are searched")
struct PlaceLayersTests {
    static let seed = UInt64.random(in: 0...UInt64.max)
    #if DEBUG
        static let changes = 150
    #else
        static let changes = 600
    #endif

    /// What must be found, beside the layers.
    struct Model {
        var towns: [[UInt8]: Town] = [:]
        var layers: PlaceLayers

        mutating func apply(_ changed: [Town], removing ids: [[UInt8]]) throws {
            try layers.apply(Self.builder(changed), removing: ids)
            for id in ids { towns[id] = nil }
            for town in changed { towns[town.id] = town }
        }

        static func builder(_ towns: [Town]) throws(GeoError) -> SnapshotBuilder {
            var builder = SnapshotBuilder()
            for town in towns {
                let set = try builder.categorySet(town.categories)
                try builder.add(id: town.id, at: town.point, categories: set, record: town.record)
            }
            return builder
        }
    }

    @Test("all searches find what brute force finds, whatever was put in, moved, taken out or merged")
    func equalsBruteForce() throws {
        var random = SeededGenerator(seed: Self.seed)
        let folder = TemporaryFolder()
        let scratch = SearchScratch()
        let start = Shape.clusters.towns(400, &random)
        var model = Model(
            towns: Dictionary(start.map { ($0.id, $0) }) { $1 },
            layers: PlaceLayers(base: try start.snapshot(in: folder)))
        var settled: PlaceLayers?
        for round in 0..<Self.changes {
            let fresh = Shape.clusters.towns(random.one(of: [0, 1, 3, 50]), &random)
            let known = model.towns.values.sorted { $0.id.lexicographicallyPrecedes($1.id) }
            var changed = fresh.enumerated().map { index, town in
                Town(id: Array("new/\(round)/\(index)".utf8), point: town.point, categories: [Array("a".utf8)])
            }
            for town in known.shuffled(using: &random).prefix(random.one(of: [0, 1, 20])) {
                changed.append(Town(id: town.id, point: Shape.clusters.centre(known, &random), record: [7]))
            }
            let removed = known.shuffled(using: &random).prefix(random.one(of: [0, 0, 2, 30])).map(\.id)
                .filter { id in !changed.contains { $0.id == id } }
            try model.apply(changed, removing: removed + [Array("nowhere".utf8)])
            switch round % 40 {
            case 10:
                settled = model.layers.settle()
                _ = try settled?.gather().write(to: folder.file("base"))
            case 30:
                if let earlier = settled {
                    try model.layers.rebase(try Snapshot(path: folder.file("base")), from: earlier)
                }
            default: break
            }
            try check(model, scratch, &random, "seed \(Self.seed), change \(round)")
        }
        #expect(model.layers.layers.count < 12)
    }

    private func check(
        _ model: Model, _ scratch: SearchScratch, _ random: inout SeededGenerator, _ place: String
    ) throws {
        let towns = model.towns.values.sorted { $0.id.lexicographicallyPrecedes($1.id) }
        try check(towns, model.layers, scratch, &random, place)
        // The same of what one of several accounts sees.
        let part = towns.filter { _ in random.one(of: [true, false]) }
        let ids = Set(part.map(\.id))
        let limited = try model.layers.limited { snapshot throws(GeoError) in try PlaceMarks(ids, of: snapshot) }
        if !part.isEmpty, random.chance(0.3) { try check(part, limited, scratch, &random, "limited, \(place)") }
    }

    private func check(
        _ towns: [Town], _ layers: PlaceLayers, _ scratch: SearchScratch, _ random: inout SeededGenerator,
        _ place: String
    ) throws {
        let set = SnapshotSet(layers.layers)
        #expect(set.count == towns.count, "\(place)")
        let centre = Shape.clusters.centre(towns, &random)
        let radius = RadiusSearchTests.radius(centre, towns, &random)
        let all = towns.within(radius, of: centre)
        let limit = random.one(of: [1, 10, 2_000])
        let query = try NearbyQuery(centre: centre, radiusMetres: radius, limit: limit)
        #expect(try set.nearby(query, using: scratch).truncated == (all.count > limit), "\(place)")
        #expect(try set.found(scratch) == Array(all.prefix(limit)), "\(place)")
        #expect(try set.count(query, using: scratch) == all.count, "\(place)")
        let filter = try set.resolve(PlaceFilter(include: [Array("a".utf8)]))
        let filtered = try NearbyQuery(centre: centre, radiusMetres: radius, limit: limit, filter: filter)
        let wanted = towns.within(radius, of: centre) { $0.categories == [Array("a".utf8)] }
        _ = try set.nearby(filtered, using: scratch)
        #expect(try set.found(scratch) == Array(wanted.prefix(limit)), "\(place)")
        #expect(try set.count(filtered, using: scratch) == wanted.count, "\(place)")
        let box = try #require(Box(around: towns.shuffled(using: &random).prefix(2).map(\.point) + [centre]))
        _ = try set.within(try BoxQuery(box: box, order: .id, limit: 5_000), using: scratch)
        #expect(try set.found(scratch).map(\.id) == towns.filter { box.contains($0.point) }.map(\.id), "\(place)")
    }
}
