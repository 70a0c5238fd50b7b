import Contracts
import EventLoops
import RPC
import Synchronization

/// The answers of GetTile that were used last, for callers who name the edition of the map that they show.
///
/// Two generations: what is new or used again goes to the young one, and when that has half of the room, the old one
/// goes. So what is kept is one of the last answers used, without a list of uses.
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

    private struct Generations {
        var young: [Key: Entry] = [:]
        var old: [Key: Entry] = [:]
        var youngBytes = 0
    }

    /// A deleted dataset can be seen for so long.
    static let life: Duration = .seconds(60)
    /// About how many bytes an entry takes besides its answer.
    private static let overhead = 200

    private let limitBytes: Int
    private let now: @Sendable () -> MonotonicTime
    private let state = Mutex(Generations())

    init(limitBytes: Int = 32 << 20, now: @escaping @Sendable () -> MonotonicTime = { .now }) {
        self.limitBytes = limitBytes
        self.now = now
    }

    /// The packed answer, if it is kept.
    func answer(_ key: Key) -> [UInt8]? {
        state.withLock { state in
            if let entry = state.young[key] { return entry.end > now() ? entry.answer : nil }
            guard let entry = state.old[key], entry.end > now() else { return nil }
            add(key, entry, &state)
            return entry.answer
        }
    }

    /// Keeps a packed answer for a while.
    func keep(_ answer: [UInt8], of key: Key) {
        state.withLock { add(key, Entry(answer: answer, end: now() + Self.life), &$0) }
    }

    private func add(_ key: Key, _ entry: Entry, _ state: inout Generations) {
        let size = entry.answer.count + Self.overhead
        guard size <= limitBytes / 2 else { return }
        if state.youngBytes + size > limitBytes / 2 {
            state.old = state.young
            state.young = [:]
            state.youngBytes = 0
        }
        if let former = state.young.updateValue(entry, forKey: key) {
            state.youngBytes -= former.answer.count + Self.overhead
        }
        state.youngBytes += size
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
