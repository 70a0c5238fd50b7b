import Caches

/// A connection's prepared statements; the least recently used one is finalized when there are too many.
///
/// The key is the address of the SQL literal, which never moves and never changes: no query needs to hash its text.
/// The same text written in two places is prepared twice, which is harmless.
struct StatementCache {
    /// A statement and its state in the cache.
    final class Entry {
        let statement: Statement
        /// True while a query walks its rows; a second, nested query of the same text prepares its own. One that goes
        /// meanwhile is kept alive by its user's reference.
        var isInUse = false

        init(_ statement: consuming Statement) { self.statement = statement }
    }

    private var entries: BoundedCache<UInt, Entry>

    init(limit: Int) { entries = BoundedCache(limit: max(1, limit)) }

    /// Statements kept now.
    var count: Int { entries.count }

    /// The free statement for `sql`, made by `prepare` if there is none.
    mutating func entry(
        for sql: StaticString, prepare: () throws(SQLError) -> Entry
    ) throws(SQLError) -> Entry {
        let key = unsafe UInt(bitPattern: sql.utf8Start)
        if let entry = entries.use(key) { return entry.isInUse ? try prepare() : entry }
        let entry = try prepare()
        entries.add(entry, at: key)
        return entry
    }
}
