import Geo
import Networks
import Storage
import Stores

extension DiscoverySchema {
    // The cells of the grid around each pin: what was found there stays, also when it has expired.
    static let heldAreas = Migration(
        "0.2.0 held areas",
        """
        CREATE TABLE held_cells (pin TEXT NOT NULL, cell BIGINT NOT NULL, PRIMARY KEY (pin, cell));
        CREATE INDEX held_cells_by_cell ON held_cells (cell);
        """)
}

extension DiscoveryStore {
    /// Keeps what is in these cells as long as there is the pin of an account.
    func hold(_ cells: [GridCell], for pin: String, of account: String) async throws(SQLError) {
        try await database.write(DiscoveryStore.scope) { transaction throws(SQLError) in
            try transaction.ownEarlier(in: cells, account)
            for cell in cells {
                try transaction.execute(
                    "INSERT INTO held_cells (pin, cell) VALUES (?1, ?2) ON CONFLICT (pin, cell) DO NOTHING", pin,
                    cell.number)
            }
        }
    }

    /// There is no such pin any more.
    func release(_ pin: String) async throws(SQLError) {
        try await database.write(DiscoveryStore.scope) { transaction throws(SQLError) in
            try transaction.execute("DELETE FROM held_cells WHERE pin = ?1", pin)
        }
    }

    /// Removes places of a network that were in no answer since a time, in milliseconds since 1970, whose cell is not
    /// known any more and has no pin; at most `limit` of them. Returns how many.
    func dropExpired(_ network: Network, unseenSince time: Int64, limit: Int) async throws(SQLError) -> Int {
        try await database.write(DiscoveryStore.scope) { transaction throws(SQLError) in
            let expired = try transaction.rows(
                """
                SELECT id FROM discovered_place
                WHERE network = ?1 AND removed = FALSE AND seen_ms < ?2
                    AND NOT EXISTS (SELECT 1 FROM held_cells WHERE held_cells.cell = discovered_place.grid_cell)
                    AND NOT EXISTS (SELECT 1 FROM grid_cells
                        WHERE grid_cells.cell = discovered_place.grid_cell
                            AND substr(grid_cells.network, 1, length(?1) + 5) = ?1 || ' for ')
                LIMIT ?3
                """, network.name, time, limit
            ) { row throws(SQLError) in try row.text(0) }
            for id in expired { try transaction.remove(network, id) }
            return expired.count
        }
    }
}
