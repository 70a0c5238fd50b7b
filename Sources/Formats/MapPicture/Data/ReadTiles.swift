import Caches
import Synchronization
import VectorTiles

/// Tiles that were read for pictures, the latest: the next picture of the same town has them at once.
final class ReadTiles<Value: Sendable>: Sendable {
    private struct Key: Hashable {
        let dataset: String
        let tile: TileID
    }

    struct Read {
        /// As it came, in gzip: of a tile with other bytes this is not the content.
        fileprivate let packed: [UInt8]
        let value: Value
        /// How many numbers it is made of.
        let numberCount: Int
    }

    /// About what a number, and a thing with its texts, take in memory.
    private static var bytesOfNumber: Int { 8 }
    private static var bytesOfItem: Int { 300 }

    private let kept: Mutex<BoundedCache<Key, Read>>

    /// - Parameter limit: bytes that all of them may take, about.
    init(limit: Int) { kept = Mutex(BoundedCache(limit: limit)) }

    /// A tile's content; nil when it is damaged.
    func read(
        _ packed: [UInt8], at tile: TileID, of dataset: String, _ value: (TileContent) -> Value
    ) -> Read? {
        let key = Key(dataset: dataset, tile: tile)
        if let known = kept.withLock({ $0.use(key) }), known.packed == packed { return known }
        guard let content = try? TileContent(packed: packed, at: tile) else { return nil }
        let read = Read(packed: packed, value: value(content), numberCount: content.numberCount)
        let cost =
            packed.count + Self.bytesOfNumber * content.numberCount + Self.bytesOfItem * content.items.count
        kept.withLock { _ = $0.add(read, at: key, cost: cost) }
        return read
    }
}
