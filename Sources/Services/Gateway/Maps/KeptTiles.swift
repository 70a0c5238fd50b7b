import Caches
import Contracts
import EventLoops
import RPC
import Synchronization

/// The answers of GetTile that were used last, for callers who name the edition of the map that they show.
final class KeptTiles: Sendable {
    struct Key: Hashable {
        let dataset: String
        let version: String
        let zoom: UInt32
        let x: UInt32
        let y: UInt32
    }

    private struct Entry {
        let answer: [UInt8]
        let end: MonotonicTime
    }

    /// A deleted dataset can be seen for so long.
    static let life: Duration = .seconds(60)
    /// About how many bytes an entry takes besides its answer.
    private static let overhead = 200

    private let now: @Sendable () -> MonotonicTime
    private let entries: Mutex<BoundedCache<Key, Entry>>

    init(limitBytes: Int = 32 << 20, now: @escaping @Sendable () -> MonotonicTime = { .now }) {
        entries = Mutex(BoundedCache(limit: limitBytes))
        self.now = now
    }

    /// The packed answer, if it is kept.
    func answer(_ key: Key) -> [UInt8]? {
        guard let entry = entries.withLock({ $0.use(key) }), entry.end > now() else { return nil }
        return entry.answer
    }

    /// Keeps a packed answer for a while.
    func keep(_ answer: [UInt8], of key: Key) {
        let entry = Entry(answer: answer, end: now() + Self.life)
        entries.withLock { _ = $0.add(entry, at: key, cost: answer.count + Self.overhead) }
    }
}

extension Router {
    /// Forwards GetTile, but for what is kept of the edition that is asked for.
    mutating func forwardTiles(to places: RPCClient, _ kept: KeptTiles = KeptTiles()) {
        let method = PlacesServiceMethods.getTile
        add(method) { bytes, context in
            let request = try GetTileRequest(request: bytes)
            let key = KeptTiles.Key(
                dataset: request.dataset, version: request.version, zoom: request.zoom, x: request.x, y: request.y)
            if !key.version.isEmpty, let answer = kept.answer(key) { return answer }
            let answer = try await Self.forwarded(method, bytes, context, to: places)
            if !key.version.isEmpty, try GetTileResponse(answer: answer).version == key.version {
                kept.keep(answer, of: key)
            }
            return answer
        }
    }
}
