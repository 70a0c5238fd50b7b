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
        var lastUse: Int
        /// Whether its bytes are known to match its name.
        var isProven: Bool
    }

    /// How many tickets are remembered.
    static let mostKeys = 100_000

    let limitBytes: Int
    private(set) var usedBytes = 0
    private var files: [String: File] = [:]
    private var known: [Key: CachedPictureFacts] = [:]
    private var uses = 0

    init(limitBytes: Int) { self.limitBytes = limitBytes }

    /// Whether a picture may be kept at all.
    func hasRoom(for byteCount: Int) -> Bool { byteCount <= limitBytes }

    /// The picture of a ticket, when its file should be there.
    mutating func use(_ key: Key) -> CachedPictureFacts? {
        guard let facts = known[key], has(facts) else { return nil }
        uses += 1
        files[facts.sha256]?.lastUse = uses
        return facts
    }

    func has(_ facts: CachedPictureFacts) -> Bool { files[facts.sha256]?.byteCount == facts.byteCount }

    /// Remembers which picture a ticket is for.
    mutating func learn(_ key: Key, _ facts: CachedPictureFacts) {
        if known.count >= Self.mostKeys { known.removeAll() }
        known[key] = facts
    }

    /// Whether the bytes of a file are known to match its name. After a crash they may not.
    func isProven(_ sha256: String) -> Bool { files[sha256]?.isProven ?? false }

    mutating func prove(_ sha256: String) { files[sha256]?.isProven = true }

    /// Records a file, which counts as just used. Returns the names of files to evict for it.
    mutating func add(_ sha256: String, byteCount: Int, isProven: Bool = true) -> [String] {
        remove(sha256)
        uses += 1
        files[sha256] = File(byteCount: byteCount, lastUse: uses, isProven: isProven)
        usedBytes += byteCount
        return usedBytes > limitBytes ? evict() : []
    }

    /// Records that a file was deleted.
    mutating func remove(_ sha256: String) {
        if let file = files.removeValue(forKey: sha256) { usedBytes -= file.byteCount }
    }

    /// Makes room for a tenth more than is needed, so that this is not necessary for each picture. The file that was
    /// used last stays, as long as it fits by itself.
    private mutating func evict() -> [String] {
        let target = limitBytes / 10 * 9
        var evicted: [String] = []
        for (name, file) in files.sorted(by: { $0.value.lastUse < $1.value.lastUse }) {
            guard usedBytes > target, file.lastUse < uses || file.byteCount > limitBytes else { break }
            remove(name)
            evicted.append(name)
        }
        return evicted
    }
}
