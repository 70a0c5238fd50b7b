import Geo
import TestTools
import Testing

@Suite("P12 A radius search gives exactly what brute force gives")
struct RadiusSearchTests {
    static let seed = UInt64.random(in: 0...UInt64.max)
    #if DEBUG
        static let queriesPerShape = 1_000
    #else
        static let queriesPerShape = 10_000
    #endif

    @Test("in order, distance and truncation, for every shape of data", arguments: Shape.allCases)
    func equalsBruteForce(shape: Shape) throws {
        var random = SeededGenerator(seed: Self.seed)
        let folder = TemporaryFolder()
        let scratch = SearchScratch()
        for round in 0..<5 {
            let towns = shape.towns(random.one(of: [1, 31, 32, 33, 300, 520, 1_000]), &random)
            let snapshot = try towns.snapshot(in: folder, name: "\(round)")
            let set = SnapshotSet([snapshot])
            for _ in 0..<(Self.queriesPerShape / 5) {
                let centre = shape.centre(towns, &random)
                let radius = Self.radius(centre, towns, &random)
                let limit = random.one(of: [1, 2, 10, 50, 2_000])
                let all = towns.within(radius, of: centre)
                let query = try NearbyQuery(centre: centre, radiusMetres: radius, limit: limit)
                let outcome = try set.nearby(query, using: scratch)
                let found = try set.found(scratch)
                let place = "seed \(Self.seed), \(shape), \(towns.count) towns, \(centre), \(radius) m, limit \(limit)"
                #expect(found == Array(all.prefix(limit)), "\(place)")
                #expect(outcome.truncated == (all.count > limit), "\(place)")
                #expect(try set.count(query, using: scratch) == all.count, "\(place)")
                if found != Array(all.prefix(limit)) { return }
            }
        }
    }

    /// From nothing to half the girth and beyond, and often exactly the distance of a town.
    static func radius(_ centre: Coordinate, _ towns: [Town], _ random: inout SeededGenerator) -> Double {
        switch Int.random(in: 0..<8, using: &random) {
        case 0: 0
        case 1: Distance.halfGirthMetres * Double.random(in: 0.9...1.05, using: &random)
        case 2, 3: towns.randomElement(using: &random).map { centre.metres(to: $0.point) } ?? 1
        case 4: Double.random(in: 0...50, using: &random)
        case 5: Double.random(in: 0...20_000_000, using: &random)
        default: Double.random(in: 0...60_000, using: &random)
        }
    }
}
