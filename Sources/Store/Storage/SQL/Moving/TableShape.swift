internal import Bytes

/// A table as its database's own catalog describes it: so one that a later migration adds is moved like all others.
package struct TableShape: Equatable, Sendable {
    /// The types of the common dialect.
    enum Kind: Sendable {
        case integer, double, text, bytes, bool

        /// - Parameter type: as a migration has written it.
        init?(declared type: String) {
            let types: [(String, Kind)] = [
                ("BIGINT", .integer), ("INTEGER", .integer), ("DOUBLE PRECISION", .double), ("TEXT", .text),
                ("BYTEA", .bytes), ("BOOLEAN", .bool),
            ]
            guard let found = types.first(where: { type.isSame(as: $0.0) }) else { return nil }
            self = found.1
        }

        /// - Parameter type: PostgreSQL's name of it.
        init?(postgres type: String) {
            let types: [(String, Kind)] = [
                ("int8", .integer), ("float8", .double), ("text", .text), ("bytea", .bytes), ("bool", .bool),
            ]
            guard let found = types.first(where: { type.isSame(as: $0.0) }) else { return nil }
            self = found.1
        }
    }

    struct Column: Equatable, Sendable {
        let name: String
        let kind: Kind
    }

    /// The tables of the storage itself, which each engine has in its own way.
    static let own = ["waymark_migrations", "waymark_upgrades"]

    package let name: String
    /// By their names.
    let columns: [Column]
    /// Of its primary key, in order: rows are read by it.
    let key: [String]

    init(name: String, columns: [Column], key: [String]) throws(SQLError) {
        guard !key.isEmpty else {
            throw SQLError(.misuse, "the table \(name) has no primary key, and its rows can't be moved without")
        }
        self.name = name
        self.columns = columns.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        self.key = key
    }

    static func unknownType(_ table: String, _ column: String, _ type: String) -> SQLError {
        SQLError(.misuse, "the column \(column) of the table \(table) is of type \(type), which can't be moved")
    }

    /// "\"a\", \"b\""
    var columnList: String { columns.map { Self.quoted($0.name) }.joined(separator: ", ") }

    static func quoted(_ name: String) -> String {
        "\"\(name.unicodeScalars.map { $0 == "\"" ? "\"\"" : String($0) }.joined())\""
    }
}
