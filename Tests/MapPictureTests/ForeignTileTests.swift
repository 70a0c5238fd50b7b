import Compression
import TestTools
import Testing
import VectorTiles

@testable import MapPicture

@Suite("P29 a picture of the map with the streets that a network gives")
struct ForeignTileTests {
    private static let view = MapView(latitude: 47.5, longitude: 8.5, span: 0.01, width: 300, height: 200, scale: 1)
    private static let set = MapTileSet(
        dataset: "streetmap", version: "1", attribution: "Them", zooms: 8...14,
        southWest: MapPoint(longitude: -180, latitude: -85), northEast: MapPoint(longitude: 180, latitude: 85),
        isForeign: true)

    /// A thing of a layer, of which a tile may have several: a line of parts of the tile's width, closed for an area.
    private static func layer(
        _ name: String, _ kind: UInt32, _ line: [(Double, Double)], _ tags: [String: Any]
    ) -> [UInt8] {
        var (geometry, at): ([UInt32], (Int32, Int32)) = ([], (0, 0))
        for (index, point) in line.enumerated() {
            if index == 0 { geometry.append(9) }
            if index == 1 { geometry.append(UInt32(line.count - 1) << 3 | 2) }
            let here = (Int32(point.0 * 4096), Int32(point.1 * 4096))
            for step in [here.0 - at.0, here.1 - at.1] { geometry.append(UInt32(bitPattern: step << 1 ^ step >> 31)) }
            at = here
        }
        if kind == 3 { geometry.append(15) }
        let tags = tags.sorted { $0.key < $1.key }
        let indexes = tags.indices.flatMap { [UInt32($0), UInt32($0)] }
        let feature = field(2, packed(indexes)) + [3 << 3, UInt8(kind)] + field(4, packed(geometry))
        let words = tags.flatMap { field(3, Array($0.key.utf8)) } + tags.flatMap { field(4, value($0.value)) }
        return field(3, field(1, Array(name.utf8)) + field(2, feature) + words + [5 << 3, 0x80, 0x20])
    }

    private static func value(_ value: Any) -> [UInt8] {
        switch value {
        case let text as String: field(1, Array(text.utf8))
        case let truth as Bool: [7 << 3, truth ? 1 : 0]
        default: [6 << 3] + varint(UInt32(truncatingIfNeeded: (value as? Int ?? 0) << 1))
        }
    }

    private static func field(_ number: UInt8, _ bytes: [UInt8]) -> [UInt8] {
        [number << 3 | 2] + varint(UInt32(bytes.count)) + bytes
    }

    private static func packed(_ numbers: [UInt32]) -> [UInt8] { numbers.flatMap(varint) }

    private static func varint(_ number: UInt32) -> [UInt8] {
        number < 0x80 ? [UInt8(number)] : [UInt8(number & 0x7f) | 0x80] + varint(number >> 7)
    }

    private static let street = [(-0.05, 0.5), (1.05, 0.5)]
    private static let park = [(0.0, 0.0), (1.0, 0.0), (1.0, 0.4), (0.0, 0.4)]
    private static let lake = [(0.0, 0.6), (1.0, 0.6), (1.0, 1.0), (0.0, 1.0)]
    private static let openMapTiles =
        layer("transportation", 2, street, ["class": "primary", "oneway": 1, "name:ja": "x", "name:fi": "y"])
        + layer(
            "transportation_name", 2, street, ["class": "primary", "name": "東京", "name:latin": "Tokio", "ref": "A 7"])
        + layer("landcover", 3, park, ["class": "wood"]) + layer("water", 3, lake, ["class": "lake"])
        + layer("poi", 1, [(0.5, 0.2)], ["class": "railway", "subclass": "station", "name": "Bahnhof"])
    private static let shortbread =
        layer("streets", 2, street, ["kind": "primary", "tunnel": false, "oneway": true])
        + layer("street_labels", 2, street, ["kind": "primary", "name": "東京", "name_en": "Tokio", "ref": "A 7"])
        + layer("land", 3, park, ["kind": "forest"]) + layer("ocean", 3, lake, [:])
        + layer("public_transport", 1, [(0.5, 0.2)], ["kind": "station", "name": "Bahnhof"])

    private static func picture(_ tile: [UInt8], _ view: MapView = view, above: [MapTiles] = []) throws -> MapPicture {
        let tiles = MapTiles(set, view.tiles(of: set).map { (id: $0, bytes: Gzip.pack(tile)) })
        return try MapPicture(of: view, Samples.data, Samples.font.get(), tiles: above + [tiles])
    }

    @Test(
        "has them in the words of either schema, with names in letters that it has",
        arguments: [openMapTiles, shortbread])
    func schemas(tile: [UInt8]) throws {
        // Such a tile is 0.022 degrees wide; here its middle is seen, and the street in it.
        let id = TileID(WorldPoint(latitude: 47.5, longitude: 8.5), zoom: 14)
        let middle = WorldPoint(x: (id.box.west + id.box.east) / 2, y: (id.box.north + id.box.south) / 2)
        let view = MapView(
            latitude: middle.latitude, longitude: middle.longitude, span: 0.012, width: 500, height: 500, scale: 1,
            pin: nil)
        let drawn = try Self.picture(tile, view)
        #expect(drawn.attribution.hasSuffix("; Them"))
        let names = drawn.labels.map(\.text)
        #expect(names.contains("Tokio") && names.contains("A 7") && names.contains("Bahnhof"))
        let pixels = try Pixels(png: drawn.png)
        #expect(pixels.count(0xcad9ae, columns: 0..<500) > 20_000, "wood")
        #expect(pixels.count(0xc5dade, columns: 0..<500) > 20_000, "water")
        #expect(pixels.count(0xfbe2ad, columns: 0..<500) > 2_000, "a main street")
    }

    @Test("is drawn as far as its tiles come, and shows the world's lines where none does")
    func some() throws {
        let wanted = Self.view.tiles(of: Self.set)
        let tiles = MapTiles(Self.set, wanted.dropFirst().map { (id: $0, bytes: Gzip.pack(Self.shortbread)) })
        let drawn = try MapPicture(of: Self.view, Samples.data, Samples.font.get(), tiles: [tiles])
        #expect(try drawn.png != Self.picture(Self.shortbread).png)
    }

    @Test("never traps, whatever a stranger's tile has")
    func hostile() throws {
        var numbers = SeededGenerator(seed: 82)
        let view = MapView(latitude: 47.5, longitude: 8.5, span: 0.02, width: 64, height: 64, scale: 1)
        for round in 0..<300 {
            var tile = round % 2 == 0 ? Self.openMapTiles : Self.shortbread
            for _ in 0..<Int.random(in: 1...6, using: &numbers) {
                tile[Int.random(in: tile.indices, using: &numbers)] = .random(in: .min ... .max, using: &numbers)
            }
            #expect(throws: Never.self) { try Self.picture(tile, view) }
        }
    }

    @Test("has a number of a road, an arrow and a mark only as close as the web's map")
    func levels() throws {
        func signs(_ span: Double) throws -> [String] {
            try Self.picture(
                Self.openMapTiles,
                MapView(
                    latitude: 47.5, longitude: 8.5, span: span, width: 600, height: 600, scale: 1, pin: nil)
            ).labels.compactMap { label in
                switch label.sign?.0 {
                case .shield: "shield"
                case .arrow: "arrow"
                case .disc: "disc"
                default: nil
                }
            }
        }
        #expect(try Set(signs(0.012)) == ["shield", "arrow", "disc"])
        #expect(try Set(signs(0.05)) == ["shield", "disc"])
        #expect(try signs(0.5).isEmpty)
    }
}
