import Contracts
import Geo
import Storage
import Stores
import Wire

// MARK: the store

extension Transaction {
    /// The number of the store, which is drawn when it is asked for first.
    func storeNumber() throws(SQLError) -> Int64 {
        let number = try first(
            """
            INSERT INTO stores (id, number) VALUES (1, ?1) ON CONFLICT (id) DO UPDATE SET number = stores.number
            RETURNING number
            """, Int64.random(in: 1...Int64.max)
        ) { row throws(SQLError) in try row.integer(0) }
        guard let number else { throw SQLError(.corrupt, "the table of stores is empty") }
        return number
    }
}

// MARK: the ledger

/// What is to be done for some cells to be known.
struct CellClaim: Equatable, Sendable {
    /// Those that the caller is to ask for.
    var mine: [GridCell] = []
    /// Whether somebody else is asking for some.
    var isOthers = false
}

/// Whose cells are asked for, and until when others leave them to it, in milliseconds since 1970.
struct CellLease: Sendable {
    static let milliseconds: Int64 = 90_000

    let network: Network
    /// Not 0; drawn at random, so that no other search has the same.
    let number: Int64
}

extension Transaction {
    /// Takes those cells over that are not known and that nobody asks for. A cell is known when it was fetched at
    /// `notBefore` or later and has not expired.
    func claim(_ cells: [GridCell], _ lease: CellLease, notBefore: Int64, at now: Int64) throws(SQLError) -> CellClaim {
        var claim = CellClaim()
        for cell in cells {
            let state = try first(
                "SELECT fetched_ms, expires_ms, lease_end_ms FROM grid_cells WHERE network = ?1 AND cell = ?2",
                lease.network.rawValue, cell.number
            ) { row throws(SQLError) in (try row.integer(0), try row.integer(1), try row.integer(2)) }
            if let state, state.1 > now, state.0 >= notBefore { continue }
            if let state, state.2 > now {
                claim.isOthers = true
                continue
            }
            claim.mine.append(cell)
            try execute(
                """
                INSERT INTO grid_cells (network, cell, fetched_ms, expires_ms, lease, lease_end_ms)
                VALUES (?1, ?2, 0, 0, ?3, ?4)
                ON CONFLICT (network, cell) DO UPDATE SET lease = excluded.lease, lease_end_ms = excluded.lease_end_ms
                """, lease.network.rawValue, cell.number, lease.number, now + CellLease.milliseconds)
        }
        return claim
    }

    /// The cells are known; those that another has taken over meanwhile, too.
    func known(_ cells: [GridCell], _ network: Network, fetched: Int64, expires: Int64) throws(SQLError) {
        for cell in cells {
            try execute(
                """
                UPDATE grid_cells SET fetched_ms = ?3, expires_ms = ?4, lease = 0, lease_end_ms = 0
                WHERE network = ?1 AND cell = ?2
                """, network.rawValue, cell.number, fetched, expires)
        }
    }

    /// Keeps what is leased for a while longer.
    func renew(_ lease: CellLease, at now: Int64) throws(SQLError) {
        try execute(
            "UPDATE grid_cells SET lease_end_ms = ?2 WHERE lease = ?1 AND lease <> 0", lease.number,
            now + CellLease.milliseconds)
    }

    /// Lets go of what was not asked for in the end.
    func free(_ lease: CellLease) throws(SQLError) {
        try execute(
            "UPDATE grid_cells SET lease = 0, lease_end_ms = 0 WHERE lease = ?1 AND lease <> 0", lease.number)
    }

    /// Forgets cells that expired before a time.
    func forgetCells(expiredBefore time: Int64) throws(SQLError) {
        try execute("DELETE FROM grid_cells WHERE expires_ms < ?1 AND lease = 0", time)
    }

    func freeAllCells() throws(SQLError) {
        try execute("UPDATE grid_cells SET lease = 0, lease_end_ms = 0 WHERE lease <> 0")
    }
}

// MARK: how we stand with a network

extension Transaction {
    /// How we stand with a network, or another server, by its name.
    func standing(_ name: String) throws(SQLError) -> NetworkStanding {
        try first(
            """
            SELECT slot_us, day, day_count, failures, closed_until_ms, failure_kind, failure_reason
            FROM network_standings WHERE network = ?1
            """, name
        ) { row throws(SQLError) in
            let kind = try row.optionalInteger(5).flatMap { AskFailure.Kind(rawValue: $0) }
            let reason = try row.text(6)
            return NetworkStanding(
                slotMicroseconds: try row.integer(0), day: try row.integer(1), dayCount: try row.integer(2),
                failures: try row.integer(3), closedUntil: try row.integer(4),
                lastFailure: kind.map { AskFailure($0, reason) })
        } ?? NetworkStanding()
    }

    func put(_ standing: NetworkStanding, of name: String) throws(SQLError) {
        try execute(
            """
            INSERT INTO network_standings
                (network, slot_us, day, day_count, failures, closed_until_ms, failure_kind, failure_reason)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
            ON CONFLICT (network) DO UPDATE SET slot_us = excluded.slot_us, day = excluded.day,
                day_count = excluded.day_count, failures = excluded.failures,
                closed_until_ms = excluded.closed_until_ms, failure_kind = excluded.failure_kind,
                failure_reason = excluded.failure_reason
            """, name, standing.slotMicroseconds, standing.day, standing.dayCount, standing.failures,
            standing.closedUntil, standing.lastFailure?.kind.rawValue, standing.lastFailure?.reason ?? "")
    }
}

// MARK: places

extension Transaction {
    /// Stores a place; one that is as it was keeps its version.
    func upsert(_ place: FoundPlace, _ record: [UInt8], _ network: Network, seen: Int64) throws(SQLError) {
        let known = try execute(
            """
            UPDATE discovered_place SET seen_ms = ?4 WHERE network = ?1 AND id = ?2 AND record = ?3 AND removed = FALSE
            """, network.rawValue, place.id, record, seen)
        guard known == 0 else { return }
        try execute(
            """
            INSERT INTO discovered_place
                (network, id, cell, grid_cell, latitude_e7, longitude_e7, seen_ms, record, removed, version)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, FALSE, ?9)
            ON CONFLICT (network, id) DO UPDATE SET cell = excluded.cell, grid_cell = excluded.grid_cell,
                latitude_e7 = excluded.latitude_e7, longitude_e7 = excluded.longitude_e7, seen_ms = excluded.seen_ms,
                record = excluded.record, removed = FALSE, version = excluded.version
            """, network.rawValue, place.id, Cell.id(of: place.position), GridCell(of: place.position).number,
            Int64(place.position.latitudeE7), Int64(place.position.longitudeE7), seen, record, try nextVersion())
    }

    /// The ids of a cell's places that were in no answer since a time.
    func unseen(_ network: Network, in cell: GridCell, since time: Int64) throws(SQLError) -> [String] {
        try rows(
            """
            SELECT id FROM discovered_place
            WHERE network = ?1 AND grid_cell = ?2 AND seen_ms < ?3 AND removed = FALSE
            """, network.rawValue, cell.number, time
        ) { row throws(SQLError) in try row.text(0) }
    }

    func remove(_ network: Network, _ id: String) throws(SQLError) {
        try execute(
            "UPDATE discovered_place SET removed = TRUE, version = ?3 WHERE network = ?1 AND id = ?2", network.rawValue,
            id, try nextVersion())
    }

    /// Where the places of a network are, within a circle and some around it.
    func positions(
        _ network: Network, around centre: Geo.Coordinate, radiusMetres: Double
    ) throws(SQLError) -> [Geo.Coordinate] {
        var positions: [Geo.Coordinate] = []
        for range in Cell.cover(centre: centre, radiusMetres: radiusMetres) {
            positions += try rows(
                """
                SELECT latitude_e7, longitude_e7 FROM discovered_place
                WHERE network = ?1 AND cell BETWEEN ?2 AND ?3 AND removed = FALSE
                """, network.rawValue, range.lowerBound, range.upperBound
            ) { row throws(SQLError) in try row.coordinate(0) }
        }
        return positions
    }
}

extension FoundPlace {
    /// The place as it is kept and given: a packed Place message.
    func record(of network: Network) -> [UInt8] {
        Place(
            id: "\(network.rawValue)/\(id)", name: name, categories: categories,
            position: Contracts.Coordinate(latitude: position.latitude, longitude: position.longitude),
            attributes: attributes.map { Contracts.Attribute(key: $0.key, value: $0.value) }
        ).packedBytes()
    }
}
