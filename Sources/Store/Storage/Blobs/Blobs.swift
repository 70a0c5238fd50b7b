/// Stores bytes under the SHA-256 of their content, outside of the database. Every engine keeps the same promises:
/// a blob is there whole or not at all, and when `put` returns, a crash does not lose it.
///
/// The database decides whether a blob is needed. A blob is stored before the row that names it is written, so a sweep
/// leaves young blobs alone; storing a blob that exists makes it young again. Nothing blocks the calling thread.
package protocol Blobs: Sendable {
    /// Stores a blob, part by part. One that is stored already is made young; other bytes under its name are replaced.
    /// Throws `.damaged` when the bytes are not those of its name: then nothing is stored.
    func put(_ blob: any ReadableBlob) async throws(BlobError)

    /// Opens a blob and reads its first part, in one step: `head`, followed by at most `limit` bytes.
    /// - Parameter count: its bytes, where that is known: another count is `.damaged`.
    func open(
        _ name: BlobName, count: Int?, behind head: [UInt8], limit: Int
    ) async throws(BlobError) -> OpenedBlob

    /// Whether there is a blob of that name.
    func contains(_ name: BlobName) async throws(BlobError) -> Bool

    /// Removes a blob unless it was stored at `limit` or later, in milliseconds since 1970 by the clock of its
    /// `BlobPage`; returns whether it was removed. It need not exist.
    func remove(_ name: BlobName, ifStoredBefore limit: Int64) async throws(BlobError) -> Bool

    /// A part of the list of all blobs. Those that are added or removed in the meantime may or may not be included.
    /// - Parameter page: the `next` of the page before; nil for the first.
    func list(_ page: String?) async throws(BlobError) -> BlobPage

    /// Removes what programs left half stored before `limit`, in the same clock as `remove`; returns how many.
    func removeUnfinished(before limit: Int64) async throws(BlobError) -> Int
}

/// A part of the list of all blobs: as few as the engine gives at once, so that the whole list is never in memory.
package struct BlobPage: Sendable {
    /// Each blob with the time it was last stored, in milliseconds since 1970.
    package var blobs: [(name: BlobName, stored: Int64)] = []
    /// The time now by the clock of `stored`; nil when that is this machine's.
    package var now: Int64?
    /// The token of the next page; nil when this is the last.
    package var next: String?

    package init() {}
}

/// The bytes of a blob, read in parts by one reader. They stay readable when the blob is removed in the meantime, as
/// far as they have begun to come.
package protocol ReadableBlob: Sendable {
    var name: BlobName { get }
    /// How many bytes there are.
    var count: Int { get }

    /// `head`, followed by the bytes from `start` on, at most `limit` of them; none at the end.
    func bytes(behind head: [UInt8], from start: Int, limit: Int) async throws(BlobError) -> [UInt8]

    /// These bytes too, if it takes no waiting; else nil.
    func bytesInMemory(behind head: [UInt8], from start: Int, limit: Int) -> [UInt8]?
}

extension ReadableBlob {
    /// How many bytes there are from `start` on, at most `limit`.
    package func count(from start: Int, limit: Int) -> Int { start >= 0 ? max(0, min(limit, count - start)) : 0 }
}

/// A blob that was opened, and the first part that was asked for.
package struct OpenedBlob: Sendable {
    package let blob: any ReadableBlob
    package let first: [UInt8]

    package init(_ blob: any ReadableBlob, first: [UInt8]) {
        self.blob = blob
        self.first = first
    }
}
