/// The view of a database inside one transaction: plain synchronous calls on the storage thread that owns the
/// connection. It is lent to the body of `Database.read` or `Database.write` and can't be kept.
///
/// SQL is the dialect that SQLite and PostgreSQL share. Column types: BIGINT, DOUBLE PRECISION, TEXT, BOOLEAN, BYTEA.
/// Placeholders: `?1`, `?2`, … Strings are in single quotes. `/*+ FOR UPDATE */` locks rows where there are several
/// writers; SQLite takes it for a comment. Every text is a literal of the program, so nothing that
/// came from outside can become SQL.
package struct Transaction: ~Copyable {
    private let connection: any SQLConnection

    init(_ connection: any SQLConnection) { self.connection = connection }

    /// Runs a statement. A server is sent it together with the next one that is waited for, or with the end of the
    /// transaction; if it fails, that one throws.
    package func execute(_ sql: StaticString, _ parameters: (any SQLParameter)?...) throws(SQLError) {
        try connection.execute(sql, parameters)
    }

    /// Runs a statement and returns the number of rows that it changed itself (not by way of triggers or foreign keys).
    package func change(_ sql: StaticString, _ parameters: (any SQLParameter)?...) throws(SQLError) -> Int {
        try connection.run(sql, parameters) { _ throws(SQLError) in true }
    }

    /// Every row, read by `read`. The caller bounds their number with LIMIT.
    package func rows<Value>(
        _ sql: StaticString, _ parameters: (any SQLParameter)?...,
        read: (borrowing Row) throws(SQLError) -> Value
    ) throws(SQLError) -> [Value] {
        var values: [Value] = []
        try connection.run(sql, parameters) { row throws(SQLError) in
            values.append(try read(row))
            return true
        }
        return values
    }

    /// The first row, read by `read`, or nil when there is none. Further rows aren't read.
    package func first<Value>(
        _ sql: StaticString, _ parameters: (any SQLParameter)?...,
        read: (borrowing Row) throws(SQLError) -> Value
    ) throws(SQLError) -> Value? {
        var value: Value?
        try connection.run(sql, parameters) { row throws(SQLError) in
            value = try read(row)
            return false
        }
        return value
    }

    /// Lends every row to `body`, keeping none: for results too long to hold.
    package func forEach(
        _ sql: StaticString, _ parameters: (any SQLParameter)?...,
        body: (borrowing Row) throws(SQLError) -> Void
    ) throws(SQLError) {
        try connection.run(sql, parameters) { row throws(SQLError) in
            try body(row)
            return true
        }
    }

    /// Takes the parameters as a list, for statements that have many.
    package func forEach(
        _ sql: StaticString, parameters: [(any SQLParameter)?], body: (borrowing Row) throws(SQLError) -> Void
    ) throws(SQLError) {
        try connection.run(sql, parameters) { row throws(SQLError) in
            try body(row)
            return true
        }
    }

    /// Reads a whole table that is seldom read: its pages don't stay in memory.
    package func scan(_ sql: StaticString, body: (borrowing Row) throws(SQLError) -> Void) throws(SQLError) {
        try connection.keepPages(false)
        defer { try? connection.keepPages(true) }
        try forEach(sql, body: body)
    }

    /// A subject has changed: its watchers are notified when this is committed.
    package func announce(_ subject: String) { connection.notes.insert(subject) }

    /// The version of the subject of this transaction, raised; nil when it is of another one, or the engine has one
    /// writer.
    func raised(_ subject: String, by step: Int64) throws(SQLError) -> Int64? {
        try connection.raised(subject, by: step)
    }

    /// A time of this machine, in milliseconds since 1970, on the clock of the database, which all replicas share.
    package func shared(_ time: Int64) -> Int64 { time.addingClamped(connection.clockLead) }

    /// How far the clock of the database is ahead of this machine's, in milliseconds.
    package var clockLead: Int64 { connection.clockLead }

    /// Undoes everything this transaction has changed so far. The body continues and may still return a value, so that
    /// a refusal of the domain can be an answer rather than an error.
    package func undo() throws(SQLError) { try connection.undo() }
}

extension Int64 {
    /// Without a trap at the ends: times from a stored row may be anything.
    func addingClamped(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other < 0 ? .min : .max) : sum
    }
}
