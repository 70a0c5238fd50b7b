import Storage
import Stores

// Which pins are in which lists.

extension Transaction {
    /// Puts pins of an account into a list; those that are in it stay where they are. Returns how many were not.
    func add(
        _ pins: [PinID], to list: PinList, of account: String, at time: Int64
    ) throws(SQLError) -> Result<Int64, ListError> {
        var count: Int64 = 0
        for pin in pins {
            let standing = try first(
                """
                SELECT (SELECT count(*) FROM list_pins WHERE pin = ?1),
                    EXISTS (SELECT 1 FROM list_pins WHERE list = ?2 AND pin = ?1)
                FROM pins WHERE id = ?1 AND account = ?3
                """, pin, list.id, account
            ) { row throws(SQLError) in (lists: try row.integer(0), isIn: try row.bool(1)) }
            guard let standing else { return .failure(.noPin(pin)) }
            if standing.isIn { continue }
            guard standing.lists < PinList.limitOfPin else { return .failure(.tooManyOfPin(pin)) }
            try execute("INSERT INTO list_pins (list, pin, added_ms) VALUES (?1, ?2, ?3)", list.id, pin, time)
            count += 1
        }
        return .success(count)
    }

    /// Takes pins out of a list. Returns how many were in it.
    func remove(_ pins: [PinID], from list: ListID) throws(SQLError) -> Int64 {
        var count: Int64 = 0
        for pin in pins {
            let wasIn = try first(
                "DELETE FROM list_pins WHERE list = ?1 AND pin = ?2 RETURNING added_ms", list, pin
            ) { row throws(SQLError) in try row.integer(0) }
            if wasIn != nil { count += 1 }
        }
        return count
    }

    /// Takes a pin out of all lists.
    func removeFromLists(_ pin: PinID) throws(SQLError) {
        try execute(
            "UPDATE lists SET pin_count = pin_count - 1 WHERE id IN (SELECT list FROM list_pins WHERE pin = ?1)", pin)
        try execute("DELETE FROM list_pins WHERE pin = ?1", pin)
    }

    /// A page of the pins of a list; nil when the account has no such list.
    func list(_ query: ListedPinsQuery, of account: String) throws(SQLError) -> ListedPins? {
        guard try list(query.list, of: account) != nil else { return nil }
        let found = try entries(query)
        let shown = found.prefix(query.limit)
        return ListedPins(
            ids: shown.map(\.pin), pins: query.isOnlyIDs ? [] : try pins(query),
            end: found.count > query.limit ? shown.last : nil)
    }

    /// Those of a page, and one more.
    private func entries(_ query: ListedPinsQuery) throws(SQLError) -> [ListedPinsQuery.Cursor] {
        try rows(
            """
            SELECT added_ms, pin FROM list_pins WHERE list = ?1 AND (added_ms, pin) < (?2, ?3)
            ORDER BY added_ms DESC, pin DESC LIMIT ?4
            """, query.list, query.after.addedMilliseconds, query.after.pin, query.limit + 1
        ) { row throws(SQLError) in
            ListedPinsQuery.Cursor(addedMilliseconds: try row.integer(0), pin: try row.pinID(1))
        }
    }

    /// The pins of a page with their searches, by two statements: one for each pin would take a database on another
    /// machine too long.
    private func pins(_ query: ListedPinsQuery) throws(SQLError) -> [Pin] {
        let searches = try rows(
            """
            SELECT pin_searches.network, pin_searches.generation, pin_searches.state, pin_searches.place_count,
                pin_searches.is_truncated, pin_searches.warning, pin_searches.refusals, pin_searches.lates,
                pin_searches.pin
            FROM (SELECT pin FROM list_pins WHERE list = ?1 AND (added_ms, pin) < (?2, ?3)
                ORDER BY added_ms DESC, pin DESC LIMIT ?4) AS page
            JOIN pin_searches ON pin_searches.pin = page.pin ORDER BY pin_searches.network
            """, query.list, query.after.addedMilliseconds, query.after.pin, query.limit
        ) { row throws(SQLError) in (pin: try row.pinID(8), search: try NetworkSearch(row, from: 0)) }
        let byPin = Dictionary(grouping: searches, by: \.pin)
        return try rows(
            """
            SELECT id, account, name, is_named, latitude_e7, longitude_e7, radius_m, state, generation, created_ms,
                version, place_count, photo_place_count, photo_count, album_state, album_photo_count,
                album_ready_count, album_failed_count, album_generation, span_latitude, span_longitude, networks,
                note, visited_day, imported_by, album_warning, photo_trouble
            FROM (SELECT added_ms, pin FROM list_pins WHERE list = ?1 AND (added_ms, pin) < (?2, ?3)
                ORDER BY added_ms DESC, pin DESC LIMIT ?4) AS page
            JOIN pins ON pins.id = page.pin ORDER BY page.added_ms DESC, page.pin DESC
            """, query.list, query.after.addedMilliseconds, query.after.pin, query.limit
        ) { row throws(SQLError) in
            var pin = try Pin(row)
            pin.searches = byPin[pin.id]?.map(\.search) ?? []
            return pin
        }
    }
}
