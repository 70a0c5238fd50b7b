internal import Bytes

/// The tables of one service in a PostgreSQL database.
final class PostgresTables: TableSide {
    private let address: PostgresAddress
    private let settings: DatabaseSettings
    private let database: PlainPostgres
    private var reading: PostgresRows?

    var place: String { "\(address.place), schema \(address.schema)" }

    init(_ address: PostgresAddress, _ settings: DatabaseSettings) throws(SQLError) {
        self.address = address
        self.settings = settings
        database = try PlainPostgres(address, settings)
    }

    func tables() throws(SQLError) -> [TableShape] {
        var tables: [TableShape] = []
        for name in try database.run(
            """
            SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
            WHERE n.nspname = '\(address.schema)' AND c.relkind IN ('r', 'p') ORDER BY c.relname COLLATE "C"
            """
        ).compactMap(\.first) where !TableShape.own.contains(where: { $0.isSame(as: name) }) {
            tables.append(try shape(of: name))
        }
        return tables
    }

    private func shape(of table: String) throws(SQLError) -> TableShape {
        let number = "\(PlainPostgres.text(quoted(table)))::regclass"
        var columns: [TableShape.Column] = []
        // Columns that are made of others are made again.
        for row in try database.run(
            """
            SELECT a.attname, t.typname FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
            WHERE a.attrelid = \(number) AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
            """)
        {
            guard let kind = TableShape.Kind(postgres: row[1]) else {
                throw TableShape.unknownType(table, row[0], row[1])
            }
            columns.append(TableShape.Column(name: row[0], kind: kind))
        }
        let key = try database.run(
            """
            SELECT a.attname FROM pg_index i CROSS JOIN LATERAL unnest(i.indkey) WITH ORDINALITY AS k(number, place)
            JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.number
            WHERE i.indrelid = \(number) AND i.indisprimary ORDER BY k.place
            """)
        return try TableShape(name: table, columns: columns, key: key.compactMap(\.first))
    }

    func rowCount(of table: String) throws(SQLError) -> Int {
        try database.run("SELECT count(*) FROM \(quoted(table))").first?.first.flatMap { Int($0) } ?? 0
    }

    func rows(of table: TableShape) throws(SQLError) -> any RowReading {
        let connection = try connection()
        let key = table.key.map { name in
            let isText = table.columns.contains { $0.name.isSame(as: name) && $0.kind == .text }
            return TableShape.quoted(name) + (isText ? " COLLATE \"C\"" : "")
        }
        let rows = try PostgresRows(
            connection, "SELECT \(table.columnList) FROM \(quoted(table.name)) ORDER BY \(key.joined(separator: ", "))",
            of: table)
        reading = rows
        return rows
    }

    /// That of the last reader, if it has nothing more to give.
    private func connection() throws(SQLError) -> PlainPostgres {
        if let reading, reading.isAtEnd { return reading.connection }
        reading = nil
        return try PlainPostgres(address, settings)
    }

    func clear(_ table: TableShape) throws(SQLError) { try database.run("DELETE FROM \(quoted(table.name))") }

    func add(_ rows: [MovedRow], to table: TableShape) throws(SQLError) {
        var bytes = MovedRow.head
        bytes.reserveCapacity(bytes.count + rows.reduce(2) { $0 + $1.bytes.count })
        for row in rows { bytes += row.bytes }
        bytes += MovedRow.tail
        try database.write("COPY \(quoted(table.name)) (\(table.columnList)) FROM STDIN (FORMAT binary)", bytes)
    }

    func migrations() throws(SQLError) -> [[String]] {
        try database.run(
            """
            SELECT name, checksum, applied_at_seconds FROM \(quoted("waymark_migrations"))
            WHERE position <> \(MoveMark.position) ORDER BY position
            """)
    }

    func finish(_ migrations: [[String]]) throws(SQLError) {
        let table = quoted("waymark_migrations")
        var script = "BEGIN; DELETE FROM \(table);"
        for (position, row) in migrations.enumerated() {
            // SQLite keeps any text in a column of numbers.
            guard let checksum = Int64(row[1]), let time = Int64(row[2]) else {
                throw SQLError(.corrupt, "the list of migrations has no numbers where numbers belong")
            }
            script +=
                " INSERT INTO \(table) VALUES (\(position), \(PlainPostgres.text(row[0])), \(checksum), \(time));"
        }
        try database.run(script + " COMMIT")
    }

    func settle() throws(SQLError) {
        for table in try tables() { try database.run("ANALYZE \(quoted(table.name))") }
    }

    func rest() { reading = nil }

    private func quoted(_ table: String) -> String { "\"\(address.schema)\".\(TableShape.quoted(table))" }
}

/// Reads rows by a COPY, of which never more than a part is in memory.
private final class PostgresRows: RowReading {
    /// Bytes that were given, up to which they stay in the buffer.
    private static let part = 1 << 16

    let connection: PlainPostgres
    private let table: TableShape
    private var buffer: [UInt8] = []
    private var start = 0
    private(set) var isAtEnd = false

    init(_ connection: PlainPostgres, _ sql: String, of table: TableShape) throws(SQLError) {
        self.connection = connection
        self.table = table
        try connection.beginReading("COPY (\(sql)) TO STDOUT (FORMAT binary)")
        try fill(to: MovedRow.head.count)
        let extra = MovedRow(bytes: Array(buffer[15..<19])).integer(0..<4)
        start = MovedRow.head.count + Int(extra)
    }

    func next() throws(SQLError) -> MovedRow? {
        if isAtEnd { return nil }
        if start > Self.part || start == buffer.count {
            buffer.removeFirst(start)
            start = 0
        }
        try fill(to: start + 2)
        let count = Int(buffer[start]) << 8 | Int(buffer[start + 1])
        guard count != 0xffff else {
            while try connection.read() != nil {}
            isAtEnd = true
            return nil
        }
        guard count == table.columns.count else { throw strange }
        var end = start + 2
        for _ in 0..<count {
            try fill(to: end + 4)
            let length = buffer[end..<end + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            end += 4 + Int(max(0, Int32(bitPattern: length)))
        }
        try fill(to: end)
        let row = MovedRow(bytes: Array(buffer[start..<end]))
        start = end
        return row
    }

    /// Reads until the buffer has so many bytes.
    private func fill(to count: Int) throws(SQLError) {
        while buffer.count < count {
            guard let more = try connection.read() else { throw strange }
            buffer += more
        }
    }

    private var strange: SQLError {
        SQLError(.io, "database \(connection.place) has sent rows of \(table.name) that can't be read; try again")
    }
}
