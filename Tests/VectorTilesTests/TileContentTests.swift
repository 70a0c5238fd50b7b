import BaseContracts
import TestTools
import Testing
import Wire

@testable import VectorTiles

@Suite("Vector tiles that are read")
struct TileContentTests {
    private static let line: [UInt32] = [9, 20, 40, 18, 10, 10, 5, 16]

    private static func tile(_ feature: VectorTileFeature, extent: UInt32 = 4096) -> [UInt8] {
        VectorTile(layers: [
            VectorTileLayer(
                name: "streets", features: [feature], keys: ["class"], values: [VectorTileValue(text: "primary")],
                extent: extent, version: 2)
        ]).packedBytes()
    }

    @Test("have their features with properties, where they are in the world")
    func content() throws {
        let tile = try #require(TileID(zoom: 1, x: 1, y: 0))
        let bytes = Self.tile(VectorTileFeature(tags: [0, 0], type: 2, geometry: Self.line))
        let item = try #require(try TileContent(bytes, at: tile).items.first)
        #expect(item.layer == "streets" && item.text("class") == "primary" && item.text("name").isEmpty)
        let unit = 0.5 / 4096
        func point(_ x: Double, _ y: Double) -> WorldPoint { WorldPoint(x: 0.5 + x * unit, y: y * unit) }
        #expect(item.shape == TileShape(.lines, [[point(10, 20), point(15, 25), point(12, 33)]]))
    }

    /// A field of bytes, and a number, as protobuf has them.
    private static func field(_ number: UInt8, _ bytes: [UInt8]) -> [UInt8] {
        [number << 3 | 2, UInt8(bytes.count)] + bytes
    }

    @Test("have values of all kinds that the format has")
    func values() throws {
        let kinds: [(bytes: [UInt8], value: TileContent.Value?)] = [
            (Self.field(1, Array("A 7".utf8)), .text("A 7")), ([2 << 3 | 5, 0, 0, 0x60, 0x40], .number(3.5)),
            ([3 << 3 | 1, 0, 0, 0, 0, 0, 0, 0x0c, 0x40], .number(3.5)), ([4 << 3, 7], .number(7)),
            ([4 << 3] + [UInt8](repeating: 0xff, count: 9) + [1], .number(-1)), ([5 << 3, 0x80, 1], .number(128)),
            ([6 << 3, 3], .number(-2)), ([7 << 3, 1], .number(1)), ([7 << 3, 0], .number(0)), ([9 << 3, 1], nil),
        ]
        for (bytes, value) in kinds {
            let feature = Self.field(2, Self.field(2, [0, 0]) + [3 << 3, 1] + Self.field(4, [9, 2, 2]))
            let layer = Self.field(1, Array("roads".utf8)) + feature + Self.field(3, [0x6b]) + Self.field(4, bytes)
            let item = try #require(try TileContent(Self.field(3, layer), at: .world).items.first)
            #expect(item["k"] == value && item.has("k") == (value != nil && value != .number(0)))
        }
    }

    @Test("never trap, however they are cut and changed")
    func changed() throws {
        var numbers = SeededGenerator(seed: 44)
        let good = Self.tile(VectorTileFeature(tags: [0, 0], type: 3, geometry: Self.line))
        for _ in 0..<20_000 {
            var bytes = good.prefix(Int.random(in: 0...good.count, using: &numbers))
            for _ in 0..<Int.random(in: 1...4, using: &numbers) where !bytes.isEmpty {
                bytes[Int.random(in: bytes.indices, using: &numbers)] = .random(in: .min ... .max, using: &numbers)
            }
            for item in (try? TileContent(Array(bytes), at: .world))?.items ?? [] {
                #expect(item.shape.parts.allSatisfy { !$0.isEmpty })
            }
        }
    }

    @Test("are what the pen has drawn, points, lines and areas")
    func pen() {
        var numbers = SeededGenerator(seed: 12)
        for kind in [TileShape.Kind.points, .lines, .areas] {
            for _ in 0..<200 {
                let parts = (0..<Int.random(in: 1...4, using: &numbers)).map { _ in
                    (0..<2 * Int.random(in: 3...9, using: &numbers)).map { _ in
                        Int32.random(in: -9000...9000, using: &numbers)
                    }
                }
                var pen = TilePen()
                pen.draw(kind, parts)
                let points = parts.joined()
                let wanted =
                    kind == .points
                    ? stride(from: 0, to: points.count, by: 2).map { Array(Array(points)[$0..<$0 + 2]) } : parts
                #expect(TilePen.parts(of: pen.commands) == wanted)
            }
        }
    }

    @Test(
        "that lie are refused with the reason",
        arguments: [
            (VectorTileFeature(tags: [7, 0], type: 2, geometry: line), "a feature of streets has key 7 and value 0"),
            (VectorTileFeature(tags: [0, 9], type: 2, geometry: line), "a feature of streets has key 0 and value 9"),
            (VectorTileFeature(type: 2, geometry: [9, 20]), "a feature of streets can't be drawn"),
            (VectorTileFeature(type: 2, geometry: [UInt32.max - 5]), "a feature of streets can't be drawn"),
            (VectorTileFeature(type: 2, geometry: [3]), "a feature of streets can't be drawn"),
        ])
    func lies(feature: VectorTileFeature, says: String) {
        #expect(throws: TileDamage(description: says)) { try TileContent(Self.tile(feature), at: .world) }
    }

    @Test("are refused when they are no tiles, or have no width; what has an unknown kind is left out")
    func oddities() throws {
        #expect(throws: TileDamage.self) { try TileContent([0xff, 0xff, 0xff], at: .world) }
        #expect(throws: TileDamage.self) { try TileContent(packed: [1, 2, 3], at: .world) }
        let good = VectorTileFeature(type: 2, geometry: Self.line)
        #expect(throws: TileDamage.self) { try TileContent(Self.tile(good, extent: 1 << 21), at: .world) }
        let unknown = Self.tile(VectorTileFeature(type: 9, geometry: Self.line))
        #expect(try TileContent(unknown, at: .world).items.isEmpty)
        #expect(try TileContent([], at: .world).items.isEmpty)
    }
}
