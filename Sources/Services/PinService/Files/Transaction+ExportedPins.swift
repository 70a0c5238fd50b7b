import PinContracts
import Storage
import Stores

// Pins for a file. Those of a list come one after the other, as its folder, and each comes once: with the oldest list
// that it is in. Those that are in none come first: of what is put into a list meanwhile something comes twice, and is
// not missing.

extension Transaction {
    /// Pins of an account that are in no list, the oldest first, after the one that was made then.
    func unlistedPins(
        of account: String, after created: Int64, _ id: PinID, limit: Int
    ) throws(SQLError) -> [Pin] {
        try rows(
            """
            SELECT id, account, name, is_named, latitude_e7, longitude_e7, radius_m, state, generation, created_ms,
                version, place_count, photo_place_count, photo_count, album_state, album_photo_count,
                album_ready_count, album_failed_count, album_generation, span_latitude, span_longitude, networks,
                note, visited_day, imported_by, album_warning, photo_trouble
            FROM pins WHERE account = ?1 AND (created_ms, id) > (?2, ?3)
                AND NOT EXISTS (SELECT 1 FROM list_pins WHERE list_pins.pin = pins.id)
            ORDER BY created_ms, id LIMIT ?4
            """, account, created, id, limit
        ) { row throws(SQLError) in try Pin(row) }
    }

    /// Pins of which a list is the oldest that they are in, by their ids, after one.
    func pins(first list: PinList, after id: PinID, limit: Int) throws(SQLError) -> [Pin] {
        try rows(
            """
            SELECT pins.id, account, name, is_named, latitude_e7, longitude_e7, radius_m, state, generation, created_ms,
                version, place_count, photo_place_count, photo_count, album_state, album_photo_count,
                album_ready_count, album_failed_count, album_generation, span_latitude, span_longitude, networks,
                note, visited_day, imported_by, album_warning, photo_trouble
            FROM list_pins JOIN pins ON pins.id = list_pins.pin
            WHERE list_pins.list = ?1 AND list_pins.pin > ?2 AND NOT EXISTS (
                SELECT 1 FROM list_pins AS other JOIN lists ON lists.id = other.list
                WHERE other.pin = list_pins.pin AND (lists.created_ms, lists.id) < (?3, ?1))
            ORDER BY list_pins.pin LIMIT ?4
            """, list.id, id, list.createdMilliseconds, limit
        ) { row throws(SQLError) in try Pin(row) }
    }

    /// The lists that pins of a list are in, the oldest first, of ids after one and up to another.
    func lists(
        of pins: PinList, after first: PinID, upTo last: PinID
    ) throws(SQLError) -> [PinID: [PinList]] {
        let found = try rows(
            """
            SELECT lists.id, lists.name, lists.colour, lists.created_ms, lists.pin_count, page.pin
            FROM list_pins AS page JOIN list_pins AS other ON other.pin = page.pin JOIN lists ON lists.id = other.list
            WHERE page.list = ?1 AND page.pin > ?2 AND page.pin <= ?3 ORDER BY lists.created_ms, lists.id
            """, pins.id, first, last
        ) { row throws(SQLError) in (pin: try row.pinID(5), list: try PinList(row)) }
        return Dictionary(grouping: found, by: \.pin).mapValues { $0.map(\.list) }
    }
}
