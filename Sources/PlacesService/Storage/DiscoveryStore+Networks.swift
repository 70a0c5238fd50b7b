import EventLoops
import Geo
import LiveNetworks
import Storage

extension DiscoveryStore: AreaLedger {
    func claim(
        _ cells: [GridCell], _ lease: AreaLease, notBefore: Int64, at now: Int64
    ) async throws -> AreaClaim {
        try await database.write(DiscoveryStore.scope) { transaction throws(SQLError) in
            try transaction.claim(cells, lease, notBefore: notBefore, at: now)
        }
    }

    func known(_ cells: [GridCell], of network: String, fetched: Int64, expires: Int64) async throws {
        try await database.write(DiscoveryStore.scope) { transaction throws(SQLError) in
            try transaction.known(cells, network, fetched: fetched, expires: expires)
        }
        bell.ring()
    }

    func renew(_ lease: AreaLease, at now: Int64) async throws {
        try await database.write(DiscoveryStore.scope) { transaction throws(SQLError) in
            try transaction.renew(lease, at: now)
        }
    }

    func free(_ lease: AreaLease) async throws {
        try await database.write(DiscoveryStore.scope) { transaction throws(SQLError) in try transaction.free(lease) }
        bell.ring()
    }
}

extension DiscoveryStore: StandingStore {
    func standing(_ name: String) async throws -> NetworkStanding {
        try await database.read { transaction throws(SQLError) in try transaction.standing(name) }
    }

    func change<R: Sendable>(
        _ name: String, _ body: @escaping @Sendable (inout NetworkStanding) -> R
    ) async throws -> R {
        try await database.write(DiscoveryStore.scope) { transaction throws(SQLError) in
            var standing = try transaction.standing(name)
            let result = body(&standing)
            try transaction.put(standing, of: name)
            return result
        }
    }
}

extension Transaction {
    /// Leases the cells that are not known and that no search is asking for. A cell is known when it was fetched at
    /// `notBefore` or later and has not expired.
    func claim(_ cells: [GridCell], _ lease: AreaLease, notBefore: Int64, at time: Int64) throws(SQLError) -> AreaClaim
    {
        var claim = AreaClaim()
        let (now, notBefore) = (shared(time), shared(notBefore))
        for cell in cells {
            let state = try first(
                "SELECT fetched_ms, expires_ms, lease_end_ms FROM grid_cells WHERE network = ?1 AND cell = ?2",
                lease.network, cell.number
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
                """, lease.network, cell.number, lease.number, now + AreaLease.milliseconds)
        }
        return claim
    }

    /// Marks the cells as known, including those that another search has taken over meanwhile.
    func known(_ cells: [GridCell], _ network: String, fetched: Int64, expires: Int64) throws(SQLError) {
        for cell in cells {
            try execute(
                """
                UPDATE grid_cells SET fetched_ms = ?3, expires_ms = ?4, lease = 0, lease_end_ms = 0
                WHERE network = ?1 AND cell = ?2
                """, network, cell.number, shared(fetched), shared(expires))
        }
    }

    /// Extends the lease.
    func renew(_ lease: AreaLease, at now: Int64) throws(SQLError) {
        try execute(
            "UPDATE grid_cells SET lease_end_ms = ?2 WHERE lease = ?1 AND lease <> 0", lease.number,
            shared(now + AreaLease.milliseconds))
    }

    /// Releases the cells that were not asked for in the end.
    func free(_ lease: AreaLease) throws(SQLError) {
        try execute(
            "UPDATE grid_cells SET lease = 0, lease_end_ms = 0 WHERE lease = ?1 AND lease <> 0", lease.number)
    }

    /// Deletes cells that expired before a time.
    func forgetCells(expiredBefore time: Int64) throws(SQLError) {
        try execute("DELETE FROM grid_cells WHERE expires_ms < ?1 AND lease = 0", shared(time))
    }

    func freeAllCells() throws(SQLError) {
        try execute("UPDATE grid_cells SET lease = 0, lease_end_ms = 0 WHERE lease <> 0")
    }
}

extension Transaction {
    /// The standing of a network, or of another server, by its name.
    func standing(_ name: String) throws(SQLError) -> NetworkStanding {
        try first(
            """
            SELECT slot_us, day, day_count, failures, closed_until_ms, failure_kind, failure_reason
            FROM network_standings WHERE network = ?1
            """, name
        ) { row throws(SQLError) in
            let kind = try row.optionalInteger(5).flatMap { AskFailure.Kind(rawValue: $0) }
            let reason = try row.text(6)
            // On this machine's clock, as others may have another.
            return NetworkStanding(
                slotMicroseconds: Self.moved(try row.integer(0), by: -clockLead, 1_000), day: try row.integer(1),
                dayCount: try row.integer(2), failures: try row.integer(3),
                closedUntil: Self.moved(try row.integer(4), by: -clockLead, 1),
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
            """, name, Self.moved(standing.slotMicroseconds, by: clockLead, 1_000), standing.day,
            standing.dayCount, standing.failures, Self.moved(standing.closedUntil, by: clockLead, 1),
            standing.lastFailure?.kind.rawValue, standing.lastFailure?.reason ?? "")
    }

    /// A time moved by milliseconds, of which it has `units` each; 0 means no time.
    private static func moved(_ time: Int64, by milliseconds: Int64, _ units: Int64) -> Int64 {
        guard time != 0 else { return 0 }
        let (step, isFar) = milliseconds.multipliedReportingOverflow(by: units)
        let (moved, overflow) = time.addingReportingOverflow(step)
        return isFar || overflow ? time : moved
    }
}
