import Geo
import Storage
import Stores

// Many pins at once. A server is sent their statements without being waited for.

extension Transaction {
    /// Stores pins of a file, except those that are there already; gives those that were stored. None of them is
    /// searched for. `known` are the ids under which the file says they were before.
    func insert(_ pins: [Pin], known: [PinID?], of account: String) throws(SQLError) -> Set<PinID> {
        guard !pins.isEmpty else { return [] }
        let first = try nextVersions(Int64(pins.count), of: account)
        for (index, pin) in pins.enumerated() {
            var pin = pin
            pin.version = first + Int64(index)
            try insertIfNew(pin, known: known[index])
        }
        return Set(
            try rows(
                "SELECT id FROM pins WHERE account = ?1 AND version >= ?2 AND version < ?3", account, first,
                first + Int64(pins.count)
            ) { row throws(SQLError) in try row.pinID(0) })
    }

    /// A pin is there when one of the same name is within 1e-6 degrees, or one with the known id. Those that are near
    /// are in the cells of the four corners.
    private func insertIfNew(_ pin: Pin, known: PinID?) throws(SQLError) {
        let near = NearCorners(pin.position)
        try execute(
            """
            INSERT INTO pins (id, account, name, is_named, latitude_e7, longitude_e7, cell, radius_m, state, generation,
                created_ms, version, state_version, networks, note, visited_day, imported_by)
            SELECT ?1, CAST(?2 AS TEXT), CAST(?3 AS TEXT), CAST(?4 AS BOOLEAN), CAST(?5 AS BIGINT), CAST(?6 AS BIGINT),
                CAST(?7 AS BIGINT), CAST(?8 AS DOUBLE PRECISION), CAST(?9 AS BIGINT), CAST(?10 AS BIGINT),
                CAST(?11 AS BIGINT), CAST(?12 AS BIGINT), CAST(?12 AS BIGINT), CAST(?13 AS TEXT), CAST(?14 AS TEXT),
                CAST(?15 AS TEXT), CAST(?16 AS TEXT)
            WHERE NOT EXISTS (
                    SELECT 1 FROM (SELECT CAST(?17 AS BIGINT) AS first, CAST(?18 AS BIGINT) AS last
                        UNION ALL SELECT ?19, ?20 UNION ALL SELECT ?21, ?22 UNION ALL SELECT ?23, ?24) AS ranges
                    CROSS JOIN pins
                    WHERE pins.account = ?2 AND pins.cell BETWEEN ranges.first AND ranges.last
                        AND pins.latitude_e7 BETWEEN ?25 AND ?26 AND pins.longitude_e7 BETWEEN ?27 AND ?28
                        AND pins.name = ?3)
                AND NOT EXISTS (SELECT 1 FROM pins WHERE id = ?29 AND account = ?2)
            """,
            pin.id, pin.account, pin.name, pin.isNamed, Int64(pin.position.latitudeE7),
            Int64(pin.position.longitudeE7), Cell.id(of: pin.position), pin.radiusMetres, pin.state.rawValue,
            pin.generation, pin.createdMilliseconds, pin.version, pin.limit.text, pin.note, pin.visitedDay,
            pin.importedBy, near.first(0), near.last(0), near.first(1), near.last(1), near.first(2), near.last(2),
            near.first(3), near.last(3), near.south, near.north, near.west, near.east, known ?? pin.id)
    }

    /// Removes pins that an import has made; gives how many, 0 when none is left.
    func removeImported(by id: String, of account: String, limit: Int, at time: Int64) throws(SQLError) -> Int {
        let found = try rows(
            """
            SELECT id, generation FROM pins WHERE imported_by = ?1 AND imported_by <> '' AND account = ?2
            ORDER BY id LIMIT ?3
            """, id, account, limit
        ) { row throws(SQLError) in (id: try row.pinID(0), generation: try row.integer(1)) }
        guard !found.isEmpty else { return 0 }
        var version = try nextVersions(Int64(found.count), of: account)
        for (id, generation) in found {
            if generation == 0 {
                // Nothing follows from a pin that was never searched for.
                try removeUnsearched(id, of: account, version, at: time)
            } else if let pin = try pin(id) {
                try delete(pin, at: time)
            }
            version += 1
        }
        return found.count
    }

    private func removeUnsearched(
        _ id: PinID, of account: String, _ version: Int64, at time: Int64
    ) throws(SQLError) {
        announce(PinStore.subject(of: id, account))
        try execute("DELETE FROM pins WHERE id = ?1", id)
        try deleteShares(of: id)
        try removeFromLists(id)
        try execute(
            "INSERT INTO removals (account, version, pin, removed_ms) VALUES (?1, ?2, ?3, ?4)", account, version, id,
            time)
    }
}

/// What is within 1e-6 degrees of a point, in 1e-7 degrees, and the ranges of cells in which it lies. At the poles and
/// at the meridian of 180 degrees it is cut off there.
struct NearCorners {
    private static let reach: Int64 = 10
    /// Squares of so many cells, which have numbers in a row, are larger than all that is near: its four corners lie in
    /// those that it touches.
    private static let square: Int64 = 1 << 12

    let (south, north, west, east): (Int64, Int64, Int64, Int64)
    /// The first cells of these squares, each once.
    private let squares: [Int64]

    init(_ point: Geo.Coordinate) {
        let (latitude, longitude) = (Int64(point.latitudeE7), Int64(point.longitudeE7))
        let south = max(-900_000_000, latitude - Self.reach)
        let north = min(900_000_000, latitude + Self.reach)
        let west = max(-1_800_000_000, longitude - Self.reach)
        let east = min(1_799_999_999, longitude + Self.reach)
        (self.south, self.north, self.west, self.east) = (south, north, west, east)
        var squares: [Int64] = []
        for (latitude, longitude) in [(south, west), (south, east), (north, west), (north, east)] {
            let corner = try? Geo.Coordinate(
                latitudeE7: Int32(clamping: latitude), longitudeE7: Int32(clamping: longitude))
            let square = Cell.id(of: corner ?? point) & -Self.square
            if !squares.contains(square) { squares.append(square) }
        }
        self.squares = squares
    }

    /// The first cell of a square; a range without cells when there is none.
    func first(_ index: Int) -> Int64 { index < squares.count ? squares[index] : 1 }
    func last(_ index: Int) -> Int64 { index < squares.count ? squares[index] + Self.square - 1 : 0 }
}
