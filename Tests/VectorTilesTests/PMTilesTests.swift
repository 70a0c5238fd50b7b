import Files
import TestTools
import Testing

@testable import VectorTiles

@Suite("PMTiles archives")
struct PMTilesTests {
    private static let box = WorldBox(west: 0.4, north: 0.4, east: 0.6, south: 0.6)

    private static func write(_ path: String, _ tiles: [(number: UInt64, bytes: [UInt8])]) throws -> PMTilesSummary {
        let rules = TileRules(zooms: 0...14, layers: ["coverage"], coverageLayer: 0)
        var writer = try PMTilesWriter(path)
        for tile in tiles { try writer.add(tile.number, tile.bytes) }
        return try writer.finish(
            zooms: rules.zooms, box: box, metadata: PMTilesMetadata(attribution: "Me", layers: rules))
    }

    /// Sparse tiles, some of them alike, so many that the directory has two levels.
    private static func tiles(_ count: Int) -> [(number: UInt64, bytes: [UInt8])] {
        var numbers = SeededGenerator(seed: 3)
        var number: UInt64 = 0
        return (0..<count).map { index in
            number += index % 3 == 0 ? 1 : .random(in: 1...40, using: &numbers)
            let isWater = index % 5 < 2
            return (number, isWater ? [1, 2, 3] : Array("tile \(index)".utf8))
        }
    }

    @Test("have what was written into them, with one level of directories and with two", arguments: [1, 100, 30_000])
    func roundTrip(count: Int) throws {
        let folder = TemporaryFolder()
        let tiles = Self.tiles(count)
        let summary = try Self.write(folder.file("a.pmtiles"), tiles)
        let file = try PMTilesFile(path: folder.file("a.pmtiles"))
        #expect(file.header == summary.header && file.byteCount == summary.byteCount)
        #expect(file.header.tileCount == UInt64(count) && (file.header.leaves.length > 0) == (count > 1000))
        for tile in tiles {
            let id = try #require(TileID(number: tile.number))
            #expect(try file.tile(id) == tile.bytes)
        }
        let known = Set(tiles.map(\.number))
        for number in (0..<(tiles.last?.number ?? 0) + 50) where !known.contains(number) {
            let id = try #require(TileID(number: number))
            #expect(try file.tile(id) == nil)
        }
    }

    @Test("that were cut short at any byte are refused")
    func truncated() throws {
        let folder = TemporaryFolder()
        _ = try Self.write(folder.file("a.pmtiles"), Self.tiles(20))
        let whole = try SmallFile.read(folder.file("a.pmtiles"), limit: 1 << 20)
        for end in stride(from: 0, to: whole.count, by: 97) {
            try DiskFile.replace(folder.file("b.pmtiles"), with: Array(whole[..<end]))
            #expect(throws: PMTilesError.self) { try PMTilesFile(path: folder.file("b.pmtiles")) }
        }
    }

    @Test("that lie give an error or a wrong tile, never a crash")
    func damaged() throws {
        let folder = TemporaryFolder()
        var numbers = SeededGenerator(seed: 5)
        _ = try Self.write(folder.file("a.pmtiles"), Self.tiles(30_000))
        let whole = try SmallFile.read(folder.file("a.pmtiles"), limit: 4 << 20)
        let header = try #require(PMTilesHeader(whole))
        let places = [0..<127, 127..<127 + Int(header.root.length)]
        for round in 0..<400 {
            var bytes = whole
            bytes[Int.random(in: places[round % 2], using: &numbers)] = .random(in: 0...255, using: &numbers)
            try DiskFile.replace(folder.file("b.pmtiles"), with: bytes)
            guard let file = try? PMTilesFile(path: folder.file("b.pmtiles")) else { continue }
            for number in stride(from: UInt64(0), to: 100_000, by: 9_999) {
                if let id = TileID(number: number) { _ = try? file.tile(id) }
            }
        }
    }

    @Test("a directory that leads to itself ends with an error")
    func circle() throws {
        let folder = TemporaryFolder()
        let path = folder.file("a.pmtiles")
        let leaf = PMTilesDirectory([.init(tile: 0, run: 0, offset: 0, length: 25)])
        var header = PMTilesHeader()
        let packed = leaf.packed
        header.root = .init(offset: 127, length: UInt64(packed.count))
        header.leaves = .init(offset: 127, length: UInt64(packed.count))
        let own = PMTilesDirectory([.init(tile: 0, run: 0, offset: 0, length: UInt64(packed.count))])
        try DiskFile.replace(path, with: header.bytes + own.packed)
        let file = try PMTilesFile(path: path)
        #expect(throws: PMTilesError.self) { try file.tile(.world) }
    }
}
