internal import Bytes

/// Moves the rows of one service's tables from one database to another.
///
/// Rows are read in the order of their primary keys on both sides. What the target has is compared with the first rows
/// of the source; behind them the rest is added, part by part. So a move that was killed goes on where it was, and one
/// whose source was changed meanwhile does the table again. In the end all rows of both are compared.
struct TableMove {
    /// Bytes of rows that are added at once.
    private static let part = 4 << 20

    let source: any TableSide
    let target: any TableSide
    /// Called with how many rows more are done; false ends it.
    let progress: (Int) -> Bool

    /// The tables of both, which have to be the same.
    func tables() throws(SQLError) -> [TableShape] {
        let (here, there) = (try source.migrations(), try target.migrations())
        func names(_ rows: [[String]]) -> [String] { rows.compactMap(\.first).sorted() }
        guard names(here) == names(there) else {
            throw SQLError(
                .migration,
                "\(source.place) is of another version than this program: start its services once with the programs of"
                    + " this version, stop them, and move it then")
        }
        let (tables, found) = (try source.tables(), try target.tables())
        guard tables == found else {
            let strange = tables.first { !found.contains($0) } ?? found.first { !tables.contains($0) }
            throw SQLError(
                .migration,
                "the table \(strange?.name ?? "") is not the same in \(source.place) and \(target.place): was one"
                    + " changed by hand?")
        }
        return tables
    }

    /// Copies what is not there yet.
    func copy(_ table: TableShape) throws(SQLError) {
        var rows = try source.rows(of: table)
        if try !matches(rows, table) {
            target.rest()
            try target.clear(table)
            rows = try source.rows(of: table)
        }
        target.rest()
        var (batch, bytes): ([MovedRow], Int) = ([], 0)
        while let row = try rows.next() {
            batch.append(row)
            bytes += row.bytes.count
            guard bytes >= Self.part else { continue }
            try add(batch, table)
            (batch, bytes) = ([], 0)
        }
        if !batch.isEmpty { try add(batch, table) }
    }

    private func add(_ rows: [MovedRow], _ table: TableShape) throws(SQLError) {
        try target.add(rows, to: table)
        try report(rows.count)
    }

    /// Whether all rows of the target are the first of the source, which are taken off.
    private func matches(_ rows: any RowReading, _ table: TableShape) throws(SQLError) -> Bool {
        let there = try target.rows(of: table)
        var count = 0
        while let row = try there.next() {
            guard let own = try rows.next(), own.isSame(as: row, table) else { return false }
            count += 1
        }
        try report(count)
        return true
    }

    /// Compares all rows; gives how many there are.
    func verify(_ table: TableShape) throws(SQLError) -> Int {
        let (here, there) = (try source.rows(of: table), try target.rows(of: table))
        var count = 0
        while let row = try here.next() {
            guard let other = try there.next(), row.isSame(as: other, table) else { throw differs(table, row) }
            count += 1
            if count.isMultiple(of: 4_096) { try report(4_096) }
        }
        if let other = try there.next() { throw differs(table, other) }
        try report(count % 4_096)
        return count
    }

    private func differs(_ table: TableShape, _ row: MovedRow) -> SQLError {
        SQLError(
            .corrupt,
            "the row \(row.key(table)) of the table \(table.name) is not the same in \(source.place) and"
                + " \(target.place): was one changed meanwhile? Run waymark migrate again")
    }

    private func report(_ count: Int) throws(SQLError) {
        guard progress(count) else { throw SQLError(.cancelled, "it was cancelled") }
    }
}
