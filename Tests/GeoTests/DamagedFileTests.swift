@testable import Geo
import TestTools
import Testing

@Suite("Damaged snapshot files")
struct DamagedFileTests {
    static let seed = UInt64.random(in: 0...UInt64.max)
    #if DEBUG
        static let mutations = 500
    #else
        static let mutations = 5_000
    #endif

    private func goodFile(_ folder: TemporaryFolder) throws -> [UInt8] {
        var random = SeededGenerator(seed: 4)
        let towns =
            Shape.clusters.towns(200, &random)
            + Shape.world.towns(200, &random).map {
                Town(id: $0.id + [1], point: $0.point, categories: $0.categories, record: [1, 2, 3])
            }
        try towns.build(at: folder.file("good"))
        return try WholeFile.bytes(folder.file("good"))
    }

    @Test("cut short anywhere are refused")
    func truncated() throws {
        let folder = TemporaryFolder()
        let good = try goodFile(folder)
        let sections = try unsafe good.withUnsafeBytes { try unsafe SnapshotSections($0, path: "good") }
        var random = SeededGenerator(seed: Self.seed)
        let edges = SnapshotLayout.Section.allCases.flatMap {
            [sections.range($0).lowerBound, sections.range($0).upperBound]
        }
        let anywhere = (0..<200).map { _ in Int.random(in: 0..<good.count, using: &random) }
        let lengths = edges + edges.map { $0 - 1 } + anywhere + [0, 1, 63, 64]
        for length in lengths where length < good.count {
            try WholeFile.write(Array(good[..<length]), to: folder.file("cut"))
            #expect(throws: GeoError.self, "cut to \(length)") { try Snapshot(path: folder.file("cut")) }
        }
        try WholeFile.write(good + [0], to: folder.file("cut"))
        #expect(throws: GeoError.self) { try Snapshot(path: folder.file("cut")) }
    }

    @Test("with any byte changed are found by verify, and searching them never crashes")
    func flipped() throws {
        let folder = TemporaryFolder()
        let good = try goodFile(folder)
        var random = SeededGenerator(seed: Self.seed)
        for _ in 0..<Self.mutations {
            var bad = good
            let at = Int.random(in: 0..<bad.count, using: &random)
            bad[at] ^= UInt8.random(in: 1...255, using: &random)
            try WholeFile.write(bad, to: folder.file("bad"))
            #expect(throws: GeoError.self, "seed \(Self.seed), byte \(at)") {
                let snapshot = try Snapshot(path: folder.file("bad"))
                Self.search(snapshot, &random)
                try snapshot.verify()
            }
        }
    }

    @Test("with wrong bytes under right checksums never crash a search")
    func forged() throws {
        let folder = TemporaryFolder()
        let good = try goodFile(folder)
        var random = SeededGenerator(seed: Self.seed)
        for _ in 0..<Self.mutations {
            var bad = good
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let at = Int.random(in: 0..<bad.count, using: &random)
                let word = random.one(of: [
                    UInt64(0), .max, 0x8000_0000_8000_0000, .random(in: 0...UInt64.max, using: &random),
                ])
                for byte in at..<min(at + 8, bad.count) {
                    bad[byte] = UInt8(truncatingIfNeeded: word >> UInt64((byte - at) * 8))
                }
            }
            Self.forgeChecksums(&bad)
            try WholeFile.write(bad, to: folder.file("bad"))
            if let snapshot = try? Snapshot(path: folder.file("bad")) { Self.search(snapshot, &random) }
        }
    }

    /// Asks everything there is to ask; errors are fine, crashes are not.
    private static func search(_ snapshot: Snapshot, _ random: inout SeededGenerator) {
        let set = SnapshotSet([snapshot])
        let scratch = SearchScratch()
        let filters = [nil, try? set.resolve(PlaceFilter(include: [Array("amenity".utf8)]))]
        for centre in [Coordinate.of(48.2, 16.4), .of(-90, 3), Shape.world.centre([], &random)] {
            for radius in [0, 500, 40_000, 300_000, Double.infinity] {
                guard
                    let query = try? NearbyQuery(
                        centre: centre, radiusMetres: radius, limit: 30, after: nil, filter: random.one(of: filters))
                else { continue }
                _ = try? set.count(query, using: scratch)
                _ = try? set.nearby(query, using: scratch)
                for hit in scratch.hits {
                    #expect(hit.metres >= 0 && hit.metres <= radius && hit.ordinal < snapshot.count)
                }
                try? set.forEachPlace(scratch) { _, id, record in _ = id.count + record.reduce(0) { $0 ^ Int($1) } }
            }
            for order in [BoxQuery.Order.id, .distance(from: centre)] {
                if let query = try? BoxQuery(box: .world, order: order, limit: 50) {
                    _ = try? set.within(query, using: scratch)
                }
            }
        }
        _ = try? snapshot.ordinal(ofID: Array("t/1-17".utf8))
        _ = try? snapshot.ordinal(ofID: Array("absent".utf8))
    }

    /// Makes all checksums right again, as one who means harm would.
    private static func forgeChecksums(_ bytes: inout [UInt8]) {
        for section in SnapshotLayout.Section.allCases {
            let entry = SnapshotLayout.headerBytes + section.rawValue * SnapshotLayout.entryBytes
            let (offset, length) = (number(bytes, entry), number(bytes, entry + 8))
            guard let start = Int(exactly: offset), let count = Int(exactly: length), start >= 0, count >= 0,
                start <= bytes.count, count <= bytes.count - start
            else { continue }
            put(Checksum.of(Array(bytes[start..<(start + count)])), at: entry + 16, &bytes)
        }
        let table = SnapshotLayout.headerBytes..<(SnapshotLayout.headerBytes + SnapshotLayout.tableBytes)
        put(Checksum.of(Array(bytes[0..<56]) + bytes[table]), at: 56, &bytes)
    }

    private static func number(_ bytes: [UInt8], _ at: Int) -> UInt64 {
        (0..<8).reduce(0) { $0 | UInt64(bytes[at + $1]) << UInt64($1 * 8) }
    }

    private static func put(_ number: UInt64, at: Int, _ bytes: inout [UInt8]) {
        for byte in 0..<8 { bytes[at + byte] = UInt8(truncatingIfNeeded: number >> UInt64(byte * 8)) }
    }
}
