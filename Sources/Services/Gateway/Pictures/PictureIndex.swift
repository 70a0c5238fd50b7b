import Caches

/// The state of the picture cache: which files it has, when they were used, and which picture a ticket is for.
///
/// A value that decides; its owner carries out the decisions.
struct PictureIndex: Sendable {
    /// Identifies the bytes that a ticket is for.
    struct Key: Hashable, Sendable {
        let photoID: String
        let size: Int32
        let source: [UInt8]
        /// Whether it may be a WebP.
        var allowsWebP = false
    }

    private struct File {
        let byteCount: Int
        /// Whether its bytes are known to match its name.
        let isProven: Bool
    }

    /// How many tickets are remembered.
    static let maximumKeys = 100_000

    private var files: BoundedCache<String, File>
    private var known = BoundedCache<Key, CachedPictureFacts>(limit: Self.maximumKeys)

    init(limitBytes: Int) { files = BoundedCache(limit: limitBytes) }

    var usedBytes: Int { files.cost }

    /// Whether a picture may be kept at all.
    func hasRoom(for byteCount: Int) -> Bool { byteCount <= files.limit }

    /// The picture of a ticket, when its file should be there.
    mutating func use(_ key: Key) -> CachedPictureFacts? {
        guard let facts = known.use(key), has(facts) else { return nil }
        _ = files.use(facts.sha256)
        return facts
    }

    func has(_ facts: CachedPictureFacts) -> Bool { files[facts.sha256]?.byteCount == facts.byteCount }

    /// Remembers which picture a ticket is for.
    mutating func learn(_ key: Key, _ facts: CachedPictureFacts) { known.add(facts, at: key) }

    /// Whether the bytes of a file are known to match its name. After a crash they may not.
    func isProven(_ sha256: String) -> Bool { files[sha256]?.isProven ?? false }

    mutating func prove(_ sha256: String) {
        if let file = files[sha256] { _ = add(sha256, byteCount: file.byteCount) }
    }

    /// Records a file, which counts as just used. Returns the names of files to evict for it.
    mutating func add(_ sha256: String, byteCount: Int, isProven: Bool = true) -> [String] {
        files.add(File(byteCount: byteCount, isProven: isProven), at: sha256, cost: byteCount).map(\.key)
    }

    /// Records that a file was deleted.
    mutating func remove(_ sha256: String) { files.remove(sha256) }
}
