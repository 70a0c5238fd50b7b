import Geo
import TestTools
import Testing

@Suite("P12 A search")
struct SearchBehaviourTests {
    private struct Stopped: Error, Equatable { let tested: Int }

    private func crowd(_ folder: TemporaryFolder) throws -> SnapshotSet {
        var random = SeededGenerator(seed: 31)
        return SnapshotSet([try Shape.clusters.towns(30_000, &random).snapshot(in: folder)])
    }

    @Test("passes its checkpoint once per 4 096 candidates and can be ended there")
    func checkpoint() throws {
        let set = try crowd(TemporaryFolder())
        let scratch = SearchScratch()
        let none = try set.resolve(PlaceFilter(accepts: { _, _ in false }))
        let query = try NearbyQuery(centre: .of(48.2, 16.4), limit: 10, filter: none)
        var passed: [Int] = []
        let outcome = try set.nearby(query, using: scratch) { passed.append($0) }
        #expect(outcome.tested >= set.count && !outcome.truncated && scratch.hits.isEmpty)
        #expect(zip([0] + passed, passed).allSatisfy { (4_096..<(4_096 + 33)).contains($1 - $0) })
        #expect(passed.count == outcome.tested / 4_096 || passed.count == outcome.tested / 4_096 - 1)
        let error = #expect(throws: Stopped.self) {
            try set.nearby(query, using: scratch) { if $0 > 20_000 { throw Stopped(tested: $0) } }
        }
        #expect((20_001..<20_001 + 4_200).contains(try #require(error).tested))
        #expect(try set.nearby(try NearbyQuery(centre: .of(48.2, 16.4), limit: 10), using: scratch).truncated)
        #expect(scratch.hits.count == 10)
    }

    @Test("looks at few candidates when the nearest are asked for")
    func prunes() throws {
        let set = try crowd(TemporaryFolder())
        let query = try NearbyQuery(centre: .of(48.2, 16.4), radiusMetres: 20_000, limit: 10)
        #expect(try set.nearby(query, using: SearchScratch()).tested < 1_500)
    }

    @Test("refuses a radius or limit out of range, saying what is allowed")
    func refused() throws {
        for radius in [-1, -0.001, .nan, -Double.infinity] {
            #expect(throws: GeoError.outOfRange(field: "radius", value: "\(radius)", allowed: "0 metres or more are")) {
                try NearbyQuery(centre: Shape.origin, radiusMetres: radius, limit: 1)
            }
        }
        for limit in [0, -5, 1_000_001, .max] {
            #expect(throws: GeoError.outOfRange(field: "limit", value: "\(limit)", allowed: "1 to 1000000 are")) {
                try NearbyQuery(centre: Shape.origin, limit: limit)
            }
        }
    }

    @Test("gives thousands at one distance in the order of their ids")
    func ties() throws {
        let point = Coordinate.of(48.2, 16.4)
        let towns = (0..<9_000).map { Town(id: Array("x/\($0 * 7_919 % 9_000)".utf8), point: point) }
        let folder = TemporaryFolder()
        let set = SnapshotSet([try towns.snapshot(in: folder)])
        let scratch = SearchScratch()
        for radius in [0, 10, 80_000] {
            let query = try NearbyQuery(centre: .of(48.2, 16.4), radiusMetres: Double(radius), limit: 100)
            #expect(try set.nearby(query, using: scratch).truncated)
            #expect(try set.found(scratch) == Array(towns.within(10, of: point).prefix(100)))
        }
    }

    @Test("is right after a very large one with the same scratch")
    func large() throws {
        var random = SeededGenerator(seed: 8)
        let towns = Shape.world.towns(70_000, &random)
        let folder = TemporaryFolder()
        let set = SnapshotSet([try towns.snapshot(in: folder)])
        let scratch = SearchScratch()
        let everything = try NearbyQuery(centre: .of(10, 10), limit: 1_000_000)
        #expect(try !set.nearby(everything, using: scratch).truncated)
        let all = towns.within(.infinity, of: .of(10, 10))
        #expect(try set.found(scratch) == all)
        for limit in [20, 500] {
            _ = try set.nearby(try NearbyQuery(centre: .of(10, 10), limit: limit), using: scratch)
            #expect(try set.found(scratch) == Array(all.prefix(limit)))
        }
    }

    @Test("on several threads at once over one snapshot gives the same")
    func threads() async throws {
        let folder = TemporaryFolder()
        let set = try crowd(folder)
        let query = try NearbyQuery(centre: .of(60.17, 24.94), radiusMetres: 3_000, limit: 100)
        let results = try await withThrowingTaskGroup(of: [Hit].self) { group in
            for _ in 0..<8 {
                group.addTask {
                    let scratch = SearchScratch()
                    for _ in 0..<200 { _ = try set.nearby(query, using: scratch) }
                    return scratch.hits
                }
            }
            return try await group.reduce(into: [[Hit]]()) { $0.append($1) }
        }
        #expect(results.count == 8 && results.allSatisfy { $0 == results[0] })
    }

    @Test("hands out ids and records of all hits as one by one")
    func places() throws {
        let set = try crowd(TemporaryFolder())
        let scratch = SearchScratch()
        _ = try set.nearby(try NearbyQuery(centre: .of(0, 0), limit: 150), using: scratch)
        var all: [[UInt8]] = []
        try set.forEachPlace(scratch) { _, id, record in all.append(Array(id) + record) }
        #expect(try all == scratch.hits.map { try set.withPlace($0) { Array($0) + $1 } })
    }
}
