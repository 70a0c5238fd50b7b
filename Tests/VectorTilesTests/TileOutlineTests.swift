import BaseContracts
import TestTools
import Testing
import VectorTiles
import Wire

@Suite("Bytes that may be a vector tile")
struct TileOutlineTests {
    private static let tile = VectorTile(layers: [
        VectorTileLayer(
            name: "streets", features: [VectorTileFeature(tags: [0, 0], type: 2, geometry: [9, 20, 40])],
            keys: ["class"], values: [VectorTileValue(text: "primary")], extent: 4096, version: 2)
    ]).packedBytes()

    @Test("are one when they are layers with names")
    func one() {
        #expect(TileOutline.isTile(Self.tile))
    }

    @Test(
        "are none when they are text, a picture, gzip or nothing, or when a layer has no name",
        arguments: [
            Array("<html>no tile here</html>".utf8), Array(#"{"error":"no"}"#.utf8), [0x89, 0x50, 0x4e, 0x47, 13, 10],
            [0x1f, 0x8b, 8, 0], [], [0x1a, 2, 0x78, 2], [0x1a, 200, 0x78, 2],
        ])
    func none(bytes: [UInt8]) {
        #expect(!TileOutline.isTile(bytes))
    }

    @Test("never trap, however they are cut and changed; a beginning of one is none")
    func damaged() {
        for count in 0..<Self.tile.count { #expect(!TileOutline.isTile(Array(Self.tile.prefix(count)))) }
        var numbers = SeededGenerator(seed: 44)
        for _ in 0..<20_000 {
            var bytes = Self.tile
            for _ in 0..<Int.random(in: 1...4, using: &numbers) {
                bytes[Int.random(in: bytes.indices, using: &numbers)] = UInt8.random(in: .min ... .max, using: &numbers)
            }
            _ = TileOutline.isTile(bytes)
        }
    }

    @Test("are none with more layers than a map has")
    func many() {
        let layer: [UInt8] = [0x1a, 3, 0x0a, 1, 0x61]
        #expect(TileOutline.isTile((0..<200).flatMap { _ in layer }))
        #expect(!TileOutline.isTile((0..<201).flatMap { _ in layer }))
    }
}
