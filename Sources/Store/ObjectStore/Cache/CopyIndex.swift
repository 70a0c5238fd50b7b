import Storage

/// Which blobs a cache has copies of, how large they are and when they were used last.
///
/// A value that decides; its owner carries out the decisions.
struct CopyIndex: Sendable {
    private struct Copy {
        let bytes: Int
        var lastUse: Int
    }

    /// Bytes of all copies together, at most.
    let limit: Int
    private(set) var bytes = 0
    private var copies: [BlobName: Copy] = [:]
    private var uses = 0

    init(limit: Int) { self.limit = limit }

    /// Whether a blob of that size may have a copy at all.
    func hasRoom(for bytes: Int) -> Bool { bytes <= limit / 2 }

    /// Whether there is a copy, which counts as used now.
    mutating func use(_ name: BlobName) -> Bool {
        guard copies[name] != nil else { return false }
        uses += 1
        copies[name]?.lastUse = uses
        return true
    }

    /// Records a copy. Returns those that have to go for it: those that were not used for the longest time, until a
    /// tenth of the room is free.
    mutating func add(_ name: BlobName, bytes count: Int) -> [BlobName] {
        remove(name)
        uses += 1
        copies[name] = Copy(bytes: count, lastUse: uses)
        bytes += count
        guard bytes > limit else { return [] }
        var evicted: [BlobName] = []
        for (old, _) in copies.sorted(by: { $0.value.lastUse < $1.value.lastUse }) {
            if bytes <= limit / 10 * 9 || old == name { break }
            remove(old)
            evicted.append(old)
        }
        return evicted
    }

    mutating func remove(_ name: BlobName) {
        if let copy = copies.removeValue(forKey: name) { bytes -= copy.bytes }
    }
}
