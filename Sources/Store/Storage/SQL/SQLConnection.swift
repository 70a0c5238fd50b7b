/// What a transaction may do.
enum SQLAccess { case read, write }

/// A connection of an engine, behind the façade. It is owned by the storage thread that uses it.
protocol SQLConnection: AnyObject {
    func begin(_ access: SQLAccess) throws(SQLError)

    /// Makes everything since `begin` durable.
    func commit() throws(SQLError)

    /// Ends the transaction, if there still is one, without its changes.
    func rollBack()

    /// Runs `sql` inside the current transaction and lends each row to `body`, until that returns false. Returns how
    /// many rows the statement changed itself.
    @discardableResult
    func run(
        _ sql: StaticString, _ parameters: [(any SQLParameter)?],
        _ body: (borrowing Row) throws(SQLError) -> Bool
    ) throws(SQLError) -> Int

    /// Runs `sql` without looking at what it gives; a failure may be thrown by what comes next.
    func execute(_ sql: StaticString, _ parameters: [(any SQLParameter)?]) throws(SQLError)

    /// What the current body has changed, for `Notices`.
    var notes: Set<String> { get set }

    /// How far the clock of the database is ahead of this machine's, in milliseconds.
    var clockLead: Int64 { get }

    /// The version of the subject that this transaction has locked, raised by `step`; nil when it has not locked it.
    func raised(_ subject: String, by step: Int64) throws(SQLError) -> Int64?

    /// Undoes what the current body has changed; the transaction goes on.
    func undo() throws(SQLError)

    /// Whether pages that are read stay in memory for what comes next. Where a server has the cache, it decides.
    func keepPages(_ keeps: Bool) throws(SQLError)

    /// Keeps other processes from upgrading the schema until the end of the transaction.
    func lockSchema() throws(SQLError)

    func runScript(_ migration: Migration) throws(SQLError)
}

extension SQLConnection {
    func raised(_ subject: String, by step: Int64) -> Int64? { nil }

    /// A body that says it has one statement runs another.
    static var oneStatement: SQLError {
        SQLError(.misuse, "a transaction of one statement runs two; leave out `.statement` where it is begun")
    }
}

/// One row of an engine. `Row` asks for a value only after it has checked the column and its kind.
protocol RowSource {
    var columnCount: Int { get }
    func name(of column: Int) -> String?
    func kind(of column: Int) -> ColumnKind
    func integer(_ column: Int) -> Int64
    func double(_ column: Int) -> Double
    /// The bytes of a text or of bytes; valid while the row is.
    @unsafe
    func bytes(_ column: Int) -> UnsafeRawBufferPointer
}

/// What a column of a row holds.
enum ColumnKind: Equatable {
    case integer
    case double
    case text
    case bytes
    case bool
    case null
    /// A type that no statement should give, by the engine's name for it.
    case other(String)

    /// For error messages.
    var name: String {
        switch self {
        case .integer: "an integer"
        case .double: "a double"
        case .text: "text"
        case .bytes: "bytes"
        case .bool: "a boolean"
        case .null: "NULL"
        case .other(let type): "a value of type \(type)"
        }
    }
}
