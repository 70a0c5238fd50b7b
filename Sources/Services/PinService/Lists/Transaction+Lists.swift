import Storage
import Stores

// Rows of lists. Each knows how many pins are in it.

extension Transaction {
    func insert(_ list: PinList, of account: String) throws(SQLError) {
        try execute(
            "INSERT INTO lists (id, account, name, colour, created_ms, pin_count) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            list.id, account, list.name, list.colour.rawValue, list.createdMilliseconds, list.pinCount)
    }

    /// Writes the name, the colour and the count. A list with another name or colour is no import's any more.
    func update(_ list: PinList) throws(SQLError) {
        try execute(
            """
            UPDATE lists SET name = ?2, colour = ?3, pin_count = ?4,
                imported_by = CASE WHEN name = ?2 AND colour = ?3 THEN imported_by ELSE '' END
            WHERE id = ?1
            """, list.id, list.name, list.colour.rawValue, list.pinCount)
    }

    /// Removes a list; its pins stay.
    func deleteList(_ id: ListID) throws(SQLError) {
        try execute("DELETE FROM list_pins WHERE list = ?1", id)
        try execute("DELETE FROM lists WHERE id = ?1", id)
        try forgetList(ofTracks: id)
        try deleteShares(of: id)
    }

    /// A list of an account; nil when the account has none with that id.
    func list(_ id: ListID, of account: String) throws(SQLError) -> PinList? {
        try first(
            "SELECT id, name, colour, created_ms, pin_count FROM lists WHERE id = ?1 AND account = ?2", id, account
        ) { row throws(SQLError) in try PinList(row) }
    }

    /// Those of an account, the oldest first.
    func lists(of account: String) throws(SQLError) -> [PinList] {
        try rows(
            """
            SELECT id, name, colour, created_ms, pin_count FROM lists WHERE account = ?1 ORDER BY created_ms, id
            """, account
        ) { row throws(SQLError) in try PinList(row) }
    }

    /// Those that a pin is in, the oldest first.
    func lists(with pin: PinID) throws(SQLError) -> [PinList] {
        try rows(
            """
            SELECT lists.id, lists.name, lists.colour, lists.created_ms, lists.pin_count
            FROM list_pins JOIN lists ON lists.id = list_pins.list
            WHERE list_pins.pin = ?1 ORDER BY lists.created_ms, lists.id
            """, pin
        ) { row throws(SQLError) in try PinList(row) }
    }

    func listCount(of account: String) throws(SQLError) -> Int64 {
        try first("SELECT count(*) FROM lists WHERE account = ?1", account) { row throws(SQLError) in
            try row.integer(0)
        } ?? 0
    }
}

extension PinList {
    /// Reads the columns id, name, colour, created_ms, pin_count.
    init(_ row: borrowing Row) throws(SQLError) {
        self.init(
            id: try row.pinID(0), name: try row.text(1), colour: try row.state(2),
            createdMilliseconds: try row.integer(3), pinCount: try row.integer(4))
    }
}
