import Testing
import VectorTiles

@Suite("Numbers of tiles")
struct TileIDTests {
    @Test("are those of the format's own examples")
    func examples() throws {
        let known: [(zoom: Int, x: Int, y: Int, number: UInt64)] = [
            (0, 0, 0, 0), (1, 0, 0, 1), (1, 0, 1, 2), (1, 1, 1, 3), (1, 1, 0, 4), (2, 0, 0, 5),
            (12, 3423, 1763, 19_078_479),
        ]
        for example in known {
            let tile = try #require(TileID(zoom: example.zoom, x: example.x, y: example.y))
            #expect(tile.number == example.number && TileID(number: example.number) == tile)
        }
    }

    @Test("are one for each tile, and neighbours follow each other")
    func order() throws {
        var before: TileID?
        for number in UInt64(21)..<85 {
            let tile = try #require(TileID(number: number))
            #expect(tile.zoom == 3 && tile.number == number)
            if let before { #expect(abs(tile.x - before.x) + abs(tile.y - before.y) == 1) }
            before = tile
        }
    }

    @Test("do not exist for tiles beside the world or beyond the last zoom level")
    func outside() {
        #expect(TileID(zoom: 3, x: 8, y: 0) == nil && TileID(zoom: 3, x: 0, y: -1) == nil)
        #expect(TileID(zoom: 23, x: 0, y: 0) == nil && TileID(number: .max) == nil)
    }

    @Test("a tile's box has the points whose tile it is")
    func boxes() throws {
        let monaco = WorldPoint(latitude: 43.7384, longitude: 7.4246)
        let tile = TileID(monaco, zoom: 14)
        #expect(tile == TileID(zoom: 14, x: 8529, y: 5974) && tile.box.contains(monaco))
        #expect(abs(monaco.latitude - 43.7384) < 1e-9 && abs(monaco.longitude - 7.4246) < 1e-9)
    }
}
