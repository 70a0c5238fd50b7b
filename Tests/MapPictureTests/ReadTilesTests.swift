import Compression
import Testing
import VectorTiles

@testable import MapPicture

@Suite("P29 tiles that pictures of the map have read")
struct ReadTilesTests {
    private static let place = TileID(WorldPoint(latitude: 47.5, longitude: 8.5), zoom: 14)
    // Without a layer, and with a field that no reader knows.
    private static let empty = Gzip.pack([])
    private static let other = Gzip.pack([15 << 3, 1])

    /// How often each of these tiles, one after the other, had to be read.
    private static func readings(_ tiles: [(dataset: String, packed: [UInt8])], limit: Int = 1 << 20) -> Int {
        let kept = ReadTiles<Int>(limit: limit)
        var count = 0
        for (dataset, packed) in tiles {
            _ = kept.read(packed, at: place, of: dataset) { content in
                count += 1
                return content.items.count
            }
        }
        return count
    }

    @Test("are read once")
    func once() { #expect(Self.readings([("a", Self.empty), ("a", Self.empty), ("a", Self.empty)]) == 1) }

    @Test("are read again when other bytes come, or another dataset's")
    func others() {
        #expect(Self.readings([("a", Self.empty), ("a", Self.other), ("a", Self.other)]) == 2)
        #expect(Self.readings([("a", Self.empty), ("b", Self.empty), ("a", Self.empty)]) == 2)
    }

    @Test("are none when they are damaged")
    func damaged() {
        let kept = ReadTiles<Int>(limit: 1 << 20)
        #expect(kept.read([1, 2, 3], at: Self.place, of: "a") { $0.items.count } == nil)
    }

    @Test("are kept as far as there is room")
    func room() { #expect(Self.readings([("a", Self.empty), ("a", Self.empty)], limit: 1) == 2) }
}
