import TestTools
import Testing

@testable import Geo
@testable import NearRows

@Suite("P12 Rows in memory")
struct RowCacheTests {
    private let distance = DistanceField(15)
    private let spot: Coordinate

    init() throws { spot = try Coordinate(latitude: 0, longitude: 0) }

    private func row(_ number: Int64) -> NearRow {
        NearRow(id: "\(number)", position: spot, message: SpotTable.message(number))
    }

    private func hit(_ number: Int64, metres: Double = 1) -> PointHit {
        PointHit(id: SpotTable.id(number), position: spot, metres: metres)
    }

    private func packed(_ cache: inout RowCache, _ numbers: [Int64], for account: String = "ann") -> PackedRows? {
        cache.packed(numbers.map { hit($0) }, limit: 200, isInOrder: true, distance, for: account)
    }

    @Test("take no more bytes than they may, and those that are used stay")
    func cache() throws {
        var cache = RowCache(maximumBytes: 40_000)
        cache.put(row(-1), SpotTable.id(-1), for: "ann")
        for number in 0..<10_000 as Range<Int64> {
            cache.put(row(number), SpotTable.id(number), for: "ann")
            #expect(packed(&cache, [-1, number]) != nil && cache.count <= 256)
        }
        cache.remove(SpotTable.id(-1), for: "ann")
        #expect(packed(&cache, [-1]) == nil && cache.row(hit(-1), for: "ann") == nil)
        #expect(packed(&cache, [9_999]) != nil)
    }

    @Test("are an account's own, and the last ones that were put in count")
    func accounts() {
        var cache = RowCache(maximumBytes: 40_000)
        cache.put(row(1), SpotTable.id(1), for: "ann")
        cache.put(row(2), SpotTable.id(1), for: "bob")
        cache.put(row(3), SpotTable.id(1), for: "ann")
        #expect(cache.row(hit(1), for: "ann") == row(3) && cache.row(hit(1), for: "bob") == row(2))
        #expect(packed(&cache, [1]) == PackedRows([NearHits.Hit(row(3), metres: 1)], distance))
        #expect(packed(&cache, [1], for: "cid") == nil)
        cache.removeAll()
        #expect(packed(&cache, [1]) == nil)
    }

    @Test("whatever is put in and removed, what is found is what was put in last")
    func random() {
        var random = SeededGenerator(seed: 27)
        var cache = RowCache(maximumBytes: 60_000)
        var known: [Int64: Int64] = [:]
        for step in 0..<20_000 as Range<Int64> {
            let number = Int64.random(in: 0..<300, using: &random)
            switch Int.random(in: 0..<10, using: &random) {
            case 0:
                cache.remove(SpotTable.id(number), for: "ann")
                known[number] = nil
            case 1...6:
                cache.put(row(step), SpotTable.id(number), for: "ann")
                known[number] = step
            default:
                guard let found = packed(&cache, [number]) else { continue }
                let last = known[number].map { PackedRows([NearHits.Hit(row($0), metres: 1)], distance) }
                #expect(found == last, "step \(step)")
            }
        }
    }

    @Test("that are equally near are in the order of their ids, and a row longer than there is room is not kept")
    func orderAndLength() {
        var cache = RowCache(maximumBytes: 40_000)
        for number in [2, 10, 1] as [Int64] { cache.put(row(number), SpotTable.id(number), for: "ann") }
        let found = cache.packed(
            [hit(1, metres: 5), hit(2, metres: 5), hit(10, metres: 5)], limit: 2, isInOrder: false, distance, for: "ann"
        )
        #expect(found == PackedRows([1, 10].map { NearHits.Hit(row($0), metres: 5) }, distance))
        let long = NearRow(id: "3", position: spot, message: [UInt8](repeating: 1, count: 50_000))
        cache.put(long, SpotTable.id(3), for: "ann")
        #expect(cache.row(hit(3), for: "ann") == nil)
    }
}
