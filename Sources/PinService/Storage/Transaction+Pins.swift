import Geo
import ServiceRuntime
import Storage

extension Transaction {
    func insert(_ pin: Pin, of account: String) throws(SQLError) {
        try execute(
            """
            INSERT INTO pins (id, account, name, is_named, latitude_e7, longitude_e7, cell, radius_m, state, generation,
                created_ms)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
            """,
            pin.id, account, pin.name, pin.isNamed, Int64(pin.position.latitudeE7), Int64(pin.position.longitudeE7),
            Cell.id(of: pin.position), pin.radiusMetres, pin.state.rawValue, pin.generation, pin.createdMilliseconds)
    }

    func pin(_ id: PinID, of account: String) throws(SQLError) -> Pin? {
        try first(
            """
            SELECT id, name, is_named, latitude_e7, longitude_e7, radius_m, state, generation, created_ms
            FROM pins WHERE id = ?1 AND account = ?2
            """, id, account
        ) { row throws(SQLError) in try Pin(row) }
    }

    /// The ids of the account's pins around a point, with their distances.
    ///
    /// The ranges are joined rather than chained with OR: with OR, SQLite reads all pins of the account.
    func nearest(_ query: NearQuery, of account: String) throws(SQLError) -> NearestSelection<PinID> {
        var selection = NearestSelection<PinID>(
            centre: query.centre, radiusMetres: query.radiusMetres, limit: query.limit)
        let b = CellBounds(around: query.centre, radiusMetres: query.radiusMetres).numbers
        try forEach(
            """
            WITH ranges (first, last) AS (VALUES (CAST(?2 AS BIGINT), CAST(?3 AS BIGINT)), (?4, ?5), (?6, ?7), (?8, ?9),
                (?10, ?11), (?12, ?13), (?14, ?15), (?16, ?17), (?18, ?19), (?20, ?21), (?22, ?23), (?24, ?25),
                (?26, ?27), (?28, ?29), (?30, ?31), (?32, ?33))
            SELECT pins.latitude_e7, pins.longitude_e7, pins.id
            FROM ranges CROSS JOIN pins
            WHERE pins.account = ?1 AND pins.cell BETWEEN ranges.first AND ranges.last
            """,
            account, b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13], b[14],
            b[15],
            b[16], b[17], b[18], b[19], b[20], b[21], b[22], b[23], b[24], b[25], b[26], b[27], b[28], b[29], b[30],
            b[31]
        ) { row throws(SQLError) in
            try selection.offer(try row.coordinate(0)) { () throws(SQLError) in try row.pinID(2) }
        }
        return selection
    }
}
