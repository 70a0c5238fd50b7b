import Bytes
import Geo
import Storage
import Stores

// Rows of entries without a position.

extension Transaction {
    /// Hexadecimal digits come before it in every collation.
    private static var afterAllImports: String { "g" }

    /// One that is there stays as it is.
    func insert(_ new: Unplaced) throws(SQLError) {
        try execute(
            """
            INSERT INTO unplaced_pins (import_id, number, account, name, address, note, link, visited_day, created_ms,
                lists)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
            ON CONFLICT (import_id, number) DO NOTHING
            """, new.id.importID, new.id.number, new.account, new.name, new.address, new.note, new.link, new.visitedDay,
            new.createdMilliseconds, new.lists.joined(separator: "\n"))
    }

    /// A page of an account's entries, those of the newest file first. While a file is still read, it may be read
    /// again: its entries wait until it has ended.
    func unplaced(of account: String, after id: Unplaced.ID?, limit: Int) throws(SQLError) -> [Unplaced] {
        try rows(
            """
            SELECT import_id, number, u.account, u.name, address, note, link, visited_day, u.created_ms, u.lists,
                file_name
            FROM unplaced_pins AS u JOIN pin_imports ON pin_imports.id = import_id
            WHERE u.account = ?1 AND state = 3 AND (import_id < ?2 OR (import_id = ?2 AND number > ?3))
            ORDER BY import_id DESC, number LIMIT ?4
            """, account, id?.importID ?? Transaction.afterAllImports, id?.number ?? 0, limit
        ) { row throws(SQLError) in try Unplaced(row) }
    }

    /// How many an account has.
    func unplacedCount(of account: String) throws(SQLError) -> Int64 {
        try first(
            """
            SELECT count(*) FROM unplaced_pins AS u JOIN pin_imports ON pin_imports.id = import_id
            WHERE u.account = ?1 AND state = 3
            """, account
        ) { row throws(SQLError) in try row.integer(0) } ?? 0
    }

    /// Deletes an entry of an account and gives it; nil when there is none, or its file is still read.
    func takeUnplaced(_ id: Unplaced.ID, of account: String) throws(SQLError) -> Unplaced? {
        let found = try first(
            """
            SELECT import_id, number, u.account, u.name, address, note, link, visited_day, u.created_ms, u.lists,
                file_name
            FROM unplaced_pins AS u JOIN pin_imports ON pin_imports.id = import_id
            WHERE import_id = ?1 AND number = ?2 AND u.account = ?3 AND state = 3
            """, id.importID, id.number, account
        ) { row throws(SQLError) in try Unplaced(row) }
        guard let found else { return nil }
        try execute("DELETE FROM unplaced_pins WHERE import_id = ?1 AND number = ?2", id.importID, id.number)
        try execute("UPDATE pin_imports SET unplaced = unplaced - 1 WHERE id = ?1 AND unplaced > 0", id.importID)
        return found
    }

    func deleteUnplaced(ofImport id: String) throws(SQLError) {
        try execute("DELETE FROM unplaced_pins WHERE import_id = ?1", id)
    }

    /// Where pins are that are in the first of an entry's lists, or came with it; at most `limit` of them.
    func companions(of entry: Unplaced, limit: Int) throws(SQLError) -> [Geo.Coordinate] {
        guard let list = entry.lists.first else {
            return try rows(
                """
                SELECT latitude_e7, longitude_e7 FROM pins WHERE imported_by = ?1 AND imported_by <> '' AND account = ?2
                ORDER BY id LIMIT ?3
                """, entry.id.importID, entry.account, limit
            ) { row throws(SQLError) in try row.coordinate(0) }
        }
        return try rows(
            """
            SELECT latitude_e7, longitude_e7 FROM pins JOIN list_pins ON list_pins.pin = pins.id
                JOIN lists ON lists.id = list_pins.list
            WHERE lists.account = ?1 AND lists.name = ?2 ORDER BY pins.id LIMIT ?3
            """, entry.account, list, limit
        ) { row throws(SQLError) in try row.coordinate(0) }
    }
}

extension Unplaced {
    fileprivate init(_ row: borrowing Row) throws(SQLError) {
        self.init(
            id: ID(importID: try row.text(0), number: try row.integer(1)), account: try row.text(2),
            createdMilliseconds: try row.integer(8))
        (name, address, note) = (try row.text(3), try row.text(4), try row.text(5))
        (link, visitedDay, fileName) = (try row.text(6), try row.text(7), try row.text(10))
        lists = try row.text(9).split(at: "\n").map(String.init)
    }
}
