import Geo
import Requests
import Storage
import Stores

// Rows of pins and of their searches.

extension Transaction {
    func insert(_ pin: Pin) throws(SQLError) {
        try execute(
            """
            INSERT INTO pins (id, account, name, is_named, latitude_e7, longitude_e7, cell, radius_m, state, generation,
                created_ms, version, state_version, networks)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?12, ?13)
            """,
            pin.id, pin.account, pin.name, pin.isNamed, Int64(pin.position.latitudeE7),
            Int64(pin.position.longitudeE7), Cell.id(of: pin.position), pin.radiusMetres, pin.state.rawValue,
            pin.generation, pin.createdMilliseconds, pin.version, pin.limit.text)
        for search in pin.searches { try putSearch(search, of: pin.id) }
    }

    /// Writes what a user or a search changes about a pin, without its counters and its album.
    func update(_ pin: Pin) throws(SQLError) {
        try execute(
            """
            UPDATE pins SET name = ?2, is_named = ?3, latitude_e7 = ?4, longitude_e7 = ?5, cell = ?6, radius_m = ?7,
                state_version = CASE WHEN state = ?8 AND name = ?2 AND note = ?14 AND visited_day = ?15
                    THEN state_version ELSE ?10 END,
                state = ?8, generation = ?9, version = ?10, span_latitude = ?11, span_longitude = ?12, networks = ?13,
                note = ?14, visited_day = ?15, imported_by = ?16, photo_trouble = ?17
            WHERE id = ?1
            """,
            pin.id, pin.name, pin.isNamed, Int64(pin.position.latitudeE7), Int64(pin.position.longitudeE7),
            Cell.id(of: pin.position), pin.radiusMetres, pin.state.rawValue, pin.generation, pin.version,
            pin.span?.latitudeDelta, pin.span?.longitudeDelta, pin.limit.text, pin.note, pin.visitedDay,
            pin.importedBy, pin.photoTrouble)
    }

    /// A pin with its searches: one statement, so that a reading transaction of it needs no other.
    func pin(_ id: PinID) throws(SQLError) -> Pin? {
        var (pin, searches): (Pin?, [NetworkSearch]) = (nil, [])
        try forEach(
            """
            SELECT pins.id, account, name, is_named, latitude_e7, longitude_e7, radius_m, pins.state, pins.generation,
                created_ms, version, pins.place_count, photo_place_count, photo_count, album_state, album_photo_count,
                album_ready_count, album_failed_count, album_generation, span_latitude, span_longitude, networks,
                note, visited_day, imported_by, album_warning, photo_trouble,
                searched.network, searched.generation, searched.state, searched.place_count, is_truncated, warning,
                refusals, lates
            FROM pins LEFT JOIN pin_searches AS searched ON searched.pin = pins.id
            WHERE pins.id = ?1 ORDER BY searched.network
            """, id
        ) { row throws(SQLError) in
            if pin == nil { pin = try Pin(row) }
            if try !row.isNull(Pin.columnCount) { searches.append(try NetworkSearch(row, from: Pin.columnCount)) }
        }
        pin?.searches = searches
        return pin
    }

    /// A pin of an account; nil when the account has none with that id.
    func pin(_ id: PinID, of account: String) throws(SQLError) -> Pin? {
        guard let pin = try pin(id), pin.account == account else { return nil }
        return pin
    }

    /// The ids of an account's pins, the newest first.
    func pinIDs(of account: String, _ listing: PinListing) throws(SQLError) -> [PinID] {
        try rows(
            """
            SELECT id FROM pins WHERE account = ?1 AND (created_ms, id) < (?2, ?3)
            ORDER BY created_ms DESC, id DESC LIMIT ?4
            """, account, listing.after.createdMilliseconds, listing.after.id, listing.limit
        ) { row throws(SQLError) in try row.pinID(0) }
    }

    /// Pins without any search: they were stored by a version of the program that had none, unless their account has
    /// chosen no network of places.
    func unsearchedPins(limit: Int) throws(SQLError) -> [PinID] {
        try rows(
            """
            SELECT id FROM pins WHERE NOT EXISTS (SELECT 1 FROM pin_searches WHERE pin = pins.id) AND generation > 0
                AND coalesce((SELECT networks FROM account_settings WHERE account = pins.account), '*') = '*'
            LIMIT ?1
            """, limit
        ) { row throws(SQLError) in try row.pinID(0) }
    }

    /// Pins that still have searches of earlier generations: an earlier version of the program kept them at a move, and
    /// waited for them.
    func pinsWithEarlierSearches(limit: Int) throws(SQLError) -> [PinID] {
        try rows(
            """
            SELECT DISTINCT pins.id FROM pins JOIN pin_searches ON pin_searches.pin = pins.id
            WHERE pin_searches.generation < pins.generation LIMIT ?1
            """, limit
        ) { row throws(SQLError) in try row.pinID(0) }
    }

    /// Pins that wait for something, in the order of their ids.
    func unsettledPins(after id: PinID, limit: Int) throws(SQLError) -> [PinID] {
        try rows(
            "SELECT id FROM pins WHERE state < 3 AND generation > 0 AND id > ?1 ORDER BY id LIMIT ?2", id, limit
        ) { row throws(SQLError) in try row.pinID(0) }
    }

    /// The positions of the account's pins.
    func positions(of account: String) throws(SQLError) -> [Coordinate] {
        try rows("SELECT latitude_e7, longitude_e7 FROM pins WHERE account = ?1", account) { row throws(SQLError) in
            try row.coordinate(0)
        }
    }

    func putSearch(_ search: NetworkSearch, of pin: PinID) throws(SQLError) {
        try execute(
            """
            INSERT INTO pin_searches (pin, network, generation, state, place_count, is_truncated, warning, refusals,
                lates)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
            ON CONFLICT (pin, network) DO UPDATE SET generation = excluded.generation, state = excluded.state,
                place_count = excluded.place_count, is_truncated = excluded.is_truncated, warning = excluded.warning,
                refusals = excluded.refusals, lates = excluded.lates
            """,
            pin, search.network, search.generation, search.state.rawValue, search.placeCount, search.isTruncated,
            search.warning, search.refusals, search.lates)
    }
}

extension Transaction {
    /// The ids of the account's pins around a point, with their distances.
    ///
    /// The ranges are joined rather than chained with OR: with OR, SQLite reads all pins of the account.
    func nearest(_ query: NearQuery, of account: String) throws(SQLError) -> NearestSelection<PinID> {
        var selection = NearestSelection<PinID>(
            centre: query.centre, radiusMetres: query.radiusMetres, limit: query.limit)
        let bounds = CellBounds(around: query.centre, radiusMetres: query.radiusMetres)
        let ranges: [(any SQLParameter)?] = bounds.numbers.map { $0 }
        try forEach(
            """
            WITH ranges (first, last) AS (VALUES (CAST(?1 AS BIGINT), CAST(?2 AS BIGINT)), (?3, ?4), (?5, ?6), (?7, ?8),
                (?9, ?10), (?11, ?12), (?13, ?14), (?15, ?16), (?17, ?18), (?19, ?20), (?21, ?22), (?23, ?24),
                (?25, ?26), (?27, ?28), (?29, ?30), (?31, ?32))
            SELECT pins.latitude_e7, pins.longitude_e7, pins.id
            FROM ranges CROSS JOIN pins
            WHERE pins.account = ?33 AND pins.cell BETWEEN ranges.first AND ranges.last
            """, parameters: ranges + [account]
        ) { row throws(SQLError) in
            try selection.offer(try row.coordinate(0)) { () throws(SQLError) in try row.pinID(2) }
        }
        return selection
    }
}
