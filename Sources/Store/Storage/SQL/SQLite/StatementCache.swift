/// A connection's prepared statements; the least recently used one is evicted when it is full.
///
/// The key is the address of the SQL literal, which never moves and never changes: no query needs to hash its text.
/// The same text written in two places is prepared twice, which is harmless.
struct StatementCache {
    /// A statement and its state in the cache.
    final class Entry {
        let statement: Statement
        fileprivate var lastUse: UInt64 = 0
        /// True while a query walks its rows; a second, nested query of the same text prepares its own.
        var isInUse = false

        init(_ statement: consuming Statement) { self.statement = statement }
    }

    let limit: Int
    private var entries: [UInt: Entry] = [:]
    private var uses: UInt64 = 0

    init(limit: Int) { self.limit = max(1, limit) }

    /// Statements kept now.
    var count: Int { entries.count }

    /// The free statement for `sql`, made by `prepare` if there is none.
    mutating func entry(
        for sql: StaticString, prepare: () throws(SQLError) -> Entry
    ) throws(SQLError) -> Entry {
        let key = unsafe UInt(bitPattern: sql.utf8Start)
        uses += 1
        if let entry = entries[key] {
            guard !entry.isInUse else { return try prepare() }
            entry.lastUse = uses
            return entry
        }
        let entry = try prepare()
        entry.lastUse = uses
        makeRoom()
        entries[key] = entry
        return entry
    }

    /// A statement in use is kept alive by its user's reference and finalized when that use ends.
    private mutating func makeRoom() {
        guard entries.count >= limit, let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse }) else {
            return
        }
        entries[oldest.key] = nil
    }
}
