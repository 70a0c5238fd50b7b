package import Geo
package import Storage

extension Transaction {
    /// Leases the cells that are not known and that no search is asking for. A cell is known when it was fetched at
    /// `notBefore` or later and has not expired.
    package func claim(_ cells: [GridCell], _ lease: AreaLease, notBefore: Int64, at time: Int64) throws(SQLError)
        -> AreaClaim
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
                claim.others.append(cell)
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
    package func known(_ cells: [GridCell], _ network: String, fetched: Int64, expires: Int64) throws(SQLError) {
        for cell in cells {
            try execute(
                """
                UPDATE grid_cells SET fetched_ms = ?3, expires_ms = ?4, lease = 0, lease_end_ms = 0
                WHERE network = ?1 AND cell = ?2
                """, network, cell.number, shared(fetched), shared(expires))
        }
    }

    /// Extends the lease.
    package func renew(_ lease: AreaLease, at now: Int64) throws(SQLError) {
        try execute(
            "UPDATE grid_cells SET lease_end_ms = ?2 WHERE lease = ?1 AND lease <> 0", lease.number,
            shared(now + AreaLease.milliseconds))
    }

    /// Releases the cells that were not asked for in the end.
    package func free(_ lease: AreaLease) throws(SQLError) {
        try execute(
            "UPDATE grid_cells SET lease = 0, lease_end_ms = 0 WHERE lease = ?1 AND lease <> 0", lease.number)
    }

    /// Deletes cells that expired before a time.
    package func deleteCells(expiredBefore time: Int64) throws(SQLError) {
        try execute("DELETE FROM grid_cells WHERE expires_ms < ?1 AND lease = 0", shared(time))
        try deleteShares(endedBefore: time)
    }

    /// Deletes the cells of a network: none is known then.
    package func forgetCells(of network: String) throws(SQLError) {
        try execute("DELETE FROM grid_cells WHERE network = ?1", network)
    }

    /// Deletes what an account knows of a network that each asks for itself.
    package func forgetCells(of network: String, for account: String) throws(SQLError) {
        try forgetCells(of: AreaLease.area(of: network, for: account))
    }

    package func freeAllCells() throws(SQLError) {
        try execute("UPDATE grid_cells SET lease = 0, lease_end_ms = 0 WHERE lease <> 0")
    }
}
