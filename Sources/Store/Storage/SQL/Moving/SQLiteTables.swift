internal import Bytes
internal import CSQLite

/// The tables of a SQLite file that no service has open.
final class SQLiteTables: TableSide {
    let place: String
    private let database: PlainSQLite
    /// Reads while the other writes.
    private let reading: PlainSQLite

    init(_ path: String) throws(SQLError) {
        place = path
        database = try PlainSQLite(path)
        reading = try PlainSQLite(path)
        // What a power cut takes is written again by the next run.
        try database.run("PRAGMA synchronous = NORMAL")
    }

    func tables() throws(SQLError) -> [TableShape] {
        let names = try database.run(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name"
        ).compactMap(\.first)
        var tables: [TableShape] = []
        for name in names where !TableShape.own.contains(where: { $0.isSame(as: name) }) {
            var columns: [TableShape.Column] = []
            var key: [(Int, String)] = []
            // Columns that are made of others are hidden ones.
            for row in try database.run(
                "SELECT name, upper(type), pk FROM pragma_table_xinfo(\(Self.text(name))) WHERE hidden = 0")
            {
                guard let kind = TableShape.Kind(declared: row[1]) else {
                    throw TableShape.unknownType(name, row[0], row[1])
                }
                columns.append(TableShape.Column(name: row[0], kind: kind))
                if let place = Int(row[2]), place > 0 { key.append((place, row[0])) }
            }
            tables.append(
                try TableShape(name: name, columns: columns, key: key.sorted { $0.0 < $1.0 }.map(\.1)))
        }
        return tables
    }

    func rowCount(of table: String) throws(SQLError) -> Int {
        try database.run("SELECT count(*) FROM \(TableShape.quoted(table))").first?.first.flatMap { Int($0) } ?? 0
    }

    func rows(of table: TableShape) throws(SQLError) -> any RowReading {
        let key = table.key.map { TableShape.quoted($0) }.joined(separator: ", ")
        return try SQLiteRows(
            reading, "SELECT \(table.columnList) FROM \(TableShape.quoted(table.name)) ORDER BY \(key)", table)
    }

    func clear(_ table: TableShape) throws(SQLError) {
        try database.run("DELETE FROM \(TableShape.quoted(table.name))")
    }

    func add(_ rows: [MovedRow], to table: TableShape) throws(SQLError) {
        let places = table.columns.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
        let insert = try SQLiteInsert(
            database, "INSERT INTO \(TableShape.quoted(table.name)) (\(table.columnList)) VALUES (\(places))", table)
        try database.run("BEGIN IMMEDIATE")
        do throws(SQLError) {
            for row in rows { try insert.run(row) }
            try database.run("COMMIT")
        } catch {
            _ = try? database.run("ROLLBACK")
            throw error
        }
    }

    func migrations() throws(SQLError) -> [[String]] {
        try database.run(
            """
            SELECT name, checksum, applied_at_seconds FROM waymark_migrations WHERE position <> \(MoveMark.position)
            ORDER BY position
            """)
    }

    func finish(_ migrations: [[String]]) throws(SQLError) {
        try database.run("BEGIN IMMEDIATE")
        try database.run("DELETE FROM waymark_migrations")
        for (position, row) in migrations.enumerated() {
            // SQLite keeps any text in a column of numbers.
            guard let checksum = Int64(row[1]), let time = Int64(row[2]) else {
                throw SQLError(.corrupt, "the list of migrations has no numbers where numbers belong")
            }
            try database.run(
                "INSERT INTO waymark_migrations VALUES (\(position), \(Self.text(row[0])), \(checksum), \(time))")
        }
        try database.run("COMMIT")
        // No service has it open, so this is the one that may.
        try database.run("PRAGMA synchronous = FULL")
        try database.run("PRAGMA wal_checkpoint(TRUNCATE)")
    }

    func settle() throws(SQLError) {
        try database.run("ANALYZE")
        try database.run("PRAGMA wal_checkpoint(TRUNCATE)")
    }

    func rest() {}

    private static func text(_ text: String) -> String {
        "'\(text.unicodeScalars.map { $0 == "'" ? "''" : String($0) }.joined())'"
    }
}

/// Reads rows of a file.
@safe
private final class SQLiteRows: RowReading {
    private let database: PlainSQLite
    private let statement: OpaquePointer
    private let table: TableShape

    init(_ database: PlainSQLite, _ sql: String, _ table: TableShape) throws(SQLError) {
        self.database = database
        self.table = table
        unsafe statement = try database.prepare(sql)
    }

    deinit { unsafe sqlite3_finalize(statement) }

    func next() throws(SQLError) -> MovedRow? {
        let code = unsafe sqlite3_step(statement)
        if code == SQLITE_DONE { return nil }
        guard code == SQLITE_ROW else { throw database.failure(code) }
        var row = MovedRow(columns: table.columns.count)
        for (index, column) in table.columns.enumerated() { try add(Int32(index), column, to: &row) }
        return row
    }

    private func add(_ index: Int32, _ column: TableShape.Column, to row: inout MovedRow) throws(SQLError) {
        let type = unsafe sqlite3_column_type(statement, index)
        switch (column.kind, type) {
        case (_, SQLITE_NULL): row.addNull()
        case (.integer, SQLITE_INTEGER): row.add(unsafe sqlite3_column_int64(statement, index))
        case (.bool, SQLITE_INTEGER): row.add(unsafe sqlite3_column_int64(statement, index) != 0)
        case (.double, SQLITE_FLOAT), (.double, SQLITE_INTEGER):
            row.add(unsafe sqlite3_column_double(statement, index))
        case (.text, SQLITE_TEXT):
            let start = unsafe sqlite3_column_text(statement, index)
            let count = unsafe Int(sqlite3_column_bytes(statement, index))
            let text = unsafe UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count)
            guard unsafe !text.contains(0) else { throw wrong(column, "a text with a NUL in it") }
            unsafe row.add(text)
        case (.bytes, SQLITE_BLOB):
            let start = unsafe sqlite3_column_blob(statement, index)
            let count = unsafe Int(sqlite3_column_bytes(statement, index))
            unsafe row.add(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
        default: throw wrong(column, "a value of another type")
        }
    }

    private func wrong(_ column: TableShape.Column, _ what: String) -> SQLError {
        SQLError(.wrongType, "database \(database.path): the column \(column.name) of \(table.name) holds \(what)")
    }
}

/// Adds rows to a table of a file.
@safe
private final class SQLiteInsert {
    private let database: PlainSQLite
    private let statement: OpaquePointer
    private let table: TableShape

    init(_ database: PlainSQLite, _ sql: String, _ table: TableShape) throws(SQLError) {
        self.database = database
        self.table = table
        unsafe statement = try database.prepare(sql)
    }

    deinit { unsafe sqlite3_finalize(statement) }

    func run(_ row: MovedRow) throws(SQLError) {
        guard let fields = row.fields(table.columns.count) else {
            throw SQLError(.corrupt, "a row of \(table.name) can't be read")
        }
        unsafe sqlite3_reset(statement)
        for (index, field) in fields.enumerated() {
            let code = bind(Int32(index + 1), table.columns[index].kind, row, field)
            guard code == SQLITE_OK else { throw database.failure(code) }
        }
        let code = unsafe sqlite3_step(statement)
        guard code == SQLITE_DONE else { throw database.failure(code) }
    }

    private func bind(_ number: Int32, _ kind: TableShape.Kind, _ row: MovedRow, _ field: Range<Int>?) -> Int32 {
        guard let field else { return unsafe sqlite3_bind_null(statement, number) }
        switch kind {
        case .integer, .bool: return unsafe sqlite3_bind_int64(statement, number, row.integer(field))
        case .double:
            let bits = UInt64(bitPattern: row.integer(field))
            return unsafe sqlite3_bind_double(statement, number, Double(bitPattern: bits))
        case .text, .bytes:
            return unsafe row.bytes.withUnsafeBytes { bytes in
                let value = unsafe UnsafeRawBufferPointer(rebasing: bytes[field])
                // An address is needed for an empty text, too: without one it would be NULL.
                return kind == .bytes
                    ? unsafe waymark_sqlite_bind_blob(statement, number, value.baseAddress, UInt64(value.count))
                    : unsafe waymark_sqlite_bind_text(
                        statement, number, bytes.baseAddress.map { unsafe $0 + field.lowerBound }, UInt64(value.count))
            }
        }
    }
}
