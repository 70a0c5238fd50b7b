internal import Bytes
internal import Glibc

/// One side of a move: where the records of a service are.
package struct MoveSide: Sendable {
    /// How far a database is.
    package enum State: Sendable {
        /// There is no data.
        case empty
        /// Rows are being moved into it.
        case marked
        /// It is a database of a service.
        case whole
    }

    private let address: DatabaseAddress
    private let settings: DatabaseSettings

    /// - Parameters:
    ///   - address: a path, or `postgresql://…`.
    ///   - schema: the schema of the service in PostgreSQL.
    package init(_ address: String, schema: String, passwordFile: String? = nil) throws(SQLError) {
        var settings = DatabaseSettings()
        settings.schema = schema
        settings.passwordFile = passwordFile
        self.address = try DatabaseAddress(address, settings)
        self.settings = settings
    }

    /// Looks at what is there. Blocks.
    package func state() throws(SQLError) -> State {
        let names: [String]
        switch address {
        case .sqlite(let path):
            guard unsafe access(path, F_OK) == 0, unsafe access("\(path).making", F_OK) != 0 else { return .empty }
            let database = try PlainSQLite(path)
            let tables = try database.run("SELECT name FROM sqlite_schema WHERE type = 'table'").compactMap(\.first)
            if tables.isEmpty { return .empty }
            names =
                try tables.contains { $0.isSame(as: "waymark_migrations") }
                ? database.run("SELECT name FROM waymark_migrations").compactMap(\.first) : tables
        case .postgres(let address):
            let database = try PlainPostgres(address, settings)
            let tables = try database.run(
                """
                SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
                WHERE n.nspname = '\(address.schema)' AND c.relkind IN ('r', 'p')
                """
            ).compactMap(\.first)
            if tables.isEmpty { return .empty }
            names =
                try tables.contains { $0.isSame(as: "waymark_migrations") }
                ? database.run("SELECT name FROM \"\(address.schema)\".waymark_migrations").compactMap(\.first) : tables
        }
        return names.contains { $0.isSame(as: MoveMark.name) } ? .marked : .whole
    }

    func open() throws(SQLError) -> any TableSide {
        switch address {
        case .sqlite(let path): try SQLiteTables(path)
        case .postgres(let address): try PostgresTables(address, settings)
        }
    }
}

/// Moves all rows of one service. All of it blocks, and is for one thread.
package final class DatabaseMove {
    private let move: TableMove
    private let tables: [TableShape]
    /// How many rows the source has, counted at the beginning.
    package let rowCount: Int

    /// - Parameters:
    ///   - target: its schema is made, and marked.
    ///   - progress: called with how many rows more are copied or compared; false ends it.
    package init(
        from source: MoveSide, to target: MoveSide, progress: @escaping (Int) -> Bool
    ) throws(SQLError) {
        move = TableMove(source: try source.open(), target: try target.open(), progress: progress)
        tables = try move.tables()
        var count = 0
        for table in tables { count += try move.source.rowCount(of: table.name) }
        rowCount = count
    }

    /// Copies the rows that are not there yet.
    package func copy() throws(SQLError) {
        for table in tables { try move.copy(table) }
        try move.target.settle()
    }

    /// Compares all rows of both; gives how many each table has.
    package func verify() throws(SQLError) -> [String: Int] {
        var counts: [String: Int] = [:]
        for table in tables { counts[table.name] = try move.verify(table) }
        return counts
    }

    /// Lets services start on the target.
    package func finish() throws(SQLError) {
        move.target.rest()
        move.source.rest()
        try move.target.finish(try move.source.migrations())
    }
}
