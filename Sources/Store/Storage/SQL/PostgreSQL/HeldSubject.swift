/// The subject of a writing transaction, whose row is locked with its first statement: its versions are known here, and
/// none is asked for again.
///
/// Nearly every such transaction raises the version by one. So the lock does that, and the first version costs no
/// statement of its own.
struct HeldSubject {
    /// Locks the row, makes it if there is none, and gives the version raised by one.
    static let statement: StaticString = """
        INSERT INTO subjects (name, version) VALUES (?1, (SELECT last FROM versions WHERE id = 1) + 1)
        ON CONFLICT (name) DO UPDATE SET version = subjects.version + 1 RETURNING version
        """
    static let write: StaticString = "UPDATE subjects SET version = ?2 WHERE name = ?1"

    let name: String
    /// Before anything was changed; nil until the server has answered.
    private var first: Int64?
    /// The last that was given.
    private(set) var version: Int64 = 0

    init(name: String) { self.name = name }

    var isAnswered: Bool { first != nil }

    /// The version to write when none was given.
    var unused: Int64? { version == first ? first : nil }

    mutating func answer(_ row: borrowing Row) throws(SQLError) {
        version = try row.integer(0).addingClamped(-1)
        first = version
    }

    /// Gives versions up to another one. Returns what to write, unless the lock has written it.
    mutating func raise(by step: Int64) -> Int64? {
        let isWritten = version == first && step == 1
        version = version.addingClamped(step)
        return isWritten ? nil : version
    }
}
