import PlaceContracts
import RPC
import TestTools
import Testing
import VectorTiles
import Wire

@testable import PlacesService

@Suite("P75 The map of an .osm.pbf that is not as it should be")
struct MapBadInputTests {
    /// What is wrong with a file, and what its map has of it: texts, or none.
    struct Example: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var has: [String] = []
        var hasNot: [String] = []
        let spoil: @Sendable (inout MapFile) -> Void

        init(
            _ name: String, has: [String] = [], hasNot: [String] = [],
            _ spoil: @escaping @Sendable (inout MapFile) -> Void
        ) {
            testDescription = name
            self.has = has
            self.hasNot = hasNot
            self.spoil = spoil
        }
    }

    private static let street = ("highway", "residential")
    private static let arabic = "شارع الملك عبد العزيز"
    private static let stacked = "e\u{301}\u{323}\u{302}" + String(repeating: "\u{0334}", count: 26)

    static let examples: [Example] = [
        Example("a ring that does not close", hasNot: ["Open"]) { file in
            file.way(
                [(10.003, 20.003), (10.003, 20.004), (10.004, 20.004)], [("leisure", "park"), ("name", "Open")])
        },
        Example("a relation whose ring does not close", hasNot: ["Open"]) { file in
            let half = file.way([(10.003, 20.003), (10.003, 20.004), (10.004, 20.004)])
            file.relation([(half, "outer")], [("type", "multipolygon"), ("leisure", "park"), ("name", "Open")])
        },
        Example("a relation with one ring 100,000 times", has: ["Many"]) { file in
            let ring = file.way([(10.003, 20.003), (10.003, 20.005), (10.004, 20.005)], closed: true)
            file.relation(
                Array(repeating: (way: ring, role: "outer"), count: 100_000),
                [("type", "multipolygon"), ("leisure", "park"), ("name", "Many")])
        },
        Example("a relation with 100,000 holes that are in no ring", has: ["Holes"]) { file in
            let ring = file.way([(10.003, 20.003), (10.003, 20.005), (10.004, 20.005)], closed: true)
            let hole = file.way([(10.008, 20.003), (10.008, 20.004), (10.009, 20.004)], closed: true)
            file.relation(
                [(way: ring, role: "outer")] + Array(repeating: (way: hole, role: "inner"), count: 100_000),
                [("type", "multipolygon"), ("leisure", "park"), ("name", "Holes")])
        },
        Example("a coast without an end") { file in
            file.way([(10.003, 20.002), (10.004, 20.005)], [("natural", "coastline")])
        },
        Example("a coast that crosses itself again and again") { file in
            let spiral = (0..<2_000).map { (step: Int) -> (Double, Double) in
                let (north, east) = (Double(step % 7), Double(step % 11))
                return (10.005 + north / 10_000, 20.005 + east / 10_000)
            }
            file.way(spiral, [("natural", "coastline")])
        },
        Example("a coast of one node, and one of the same node twice") { file in
            let node = file.node(10.003, 20.003)
            file.way(through: [node], [("natural", "coastline")])
            file.way(through: [node, node], [("natural", "coastline")])
        },
        Example("a name of 10 MB") { file in
            file.way(
                [(10.003, 20.003), (10.003, 20.004)], [street, ("name", String(repeating: "x", count: 10 << 20))])
        },
        Example("names from right to left and with stacks of marks", has: [arabic, stacked]) { file in
            file.way([(10.003, 20.003), (10.003, 20.004)], [street, ("name", arabic)])
            file.way([(10.0035, 20.003), (10.0035, 20.004)], [street, ("name", stacked)])
        },
        Example("ways without nodes, with one, with the same one 5,000 times, with some that are not there") { file in
            let node = file.node(10.003, 20.003)
            file.way(through: [], [street])
            file.way(through: [node], [street])
            file.way(through: Array(repeating: node, count: 5_000), [street])
            file.way(through: [-5, node, .max, node + 1_000_000], [("building", "yes")])
        },
        Example("an area whose ring is only a line", hasNot: ["Flat"]) { file in
            let ends = [file.node(10.003, 20.003), file.node(10.003, 20.004)]
            file.way(through: [ends[0], ends[1], ends[0], ends[0]], [("leisure", "park"), ("name", "Flat")])
        },
        Example("people without number, levels that are none") { file in
            file.node(10.004, 20.006, [("place", "village"), ("name", "V"), ("population", "99999999999999999999999")])
            let line = file.way([(10.002, 20.0), (10.002, 20.01)])
            for level in ["-2", "2.5", "", "999", "two"] {
                file.relation(
                    [(line, "outer")],
                    [("type", "boundary"), ("boundary", "administrative"), ("admin_level", level)])
            }
        },
    ]

    @Test("leaves out what can't be drawn, and has all the rest", arguments: examples.indices)
    func spoiled(index: Int) async throws {
        let example = Self.examples[index]
        var file = MapFile.town
        example.spoil(&file)
        let bytes = file.bytes
        try await TestService.run { service in
            try await service.load(bytes, name: "a.osm.pbf")
            let tile = try #require(try await MapImportTests.tile(service, 14, 10.004, 20.004))
            let texts = Set(tile.layers.flatMap(\.values).compactMap(\.text))
            let wanted = Set((0...10).map { "Street \($0)" } + ["Stad", "Park"] + example.has)
            #expect(wanted.subtracting(texts).isEmpty)
            #expect(texts.isDisjoint(with: example.hasNot))
            #expect(tile.layers.allSatisfy { $0.name != "borders" })
        }
    }

    @Test("stays as it was when the next file was cut short anywhere")
    func truncated() async throws {
        let whole = MapFile.town.bytes
        try await TestService.run { service in
            try await service.load(whole, name: "a.osm.pbf")
            let before = try await MapImportTests.tile(service, 14, 10.004, 20.004)
            for end in stride(from: 1, to: whole.count, by: max(1, whole.count / 25)) {
                let error = try await service.refusal { _ in
                    try await service.load(Array(whole[..<end]), name: "a.osm.pbf")
                }
                #expect(error.code == .invalidArgument, "\(end): \(error)")
            }
            #expect(try await MapImportTests.tile(service, 14, 10.004, 20.004) == before)
        }
    }

    @Test("a file that lies gives another map or is refused, and the service goes on")
    func lying() async throws {
        var numbers = SeededGenerator(seed: 75)
        let file = MapFile.town
        let whole = file.bytes
        try await TestService.run { service in
            for _ in 0..<120 {
                var bytes = whole
                for _ in 0..<Int.random(in: 1...3, using: &numbers) {
                    bytes[Int.random(in: bytes.indices, using: &numbers)] = .random(in: 0...255, using: &numbers)
                }
                do {
                    try await service.load(bytes, name: "a.osm.pbf")
                } catch {
                    #expect((error as? RPCError)?.code == .invalidArgument, "\(error)")
                }
            }
            try await service.load(whole, name: "a.osm.pbf")
            #expect(try await MapImportTests.tile(service, 14, 10.004, 20.004) != nil)
        }
    }
}
