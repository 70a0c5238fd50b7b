package import Storage

/// The tables of the ledger.
package enum LedgerSchema {
    package static let migrations = [ledger, switches, shares]

    /// `grid_cells`: a cell is known until `expires_ms`, and is being asked for by the holder of its lease until
    /// `lease_end_ms`. `network_standings`: what each network still allows, and when.
    private static let ledger = Migration(
        "0.2.0 live networks",
        """
        CREATE TABLE grid_cells (
            network TEXT NOT NULL,
            cell BIGINT NOT NULL,
            fetched_ms BIGINT NOT NULL,
            expires_ms BIGINT NOT NULL,
            lease BIGINT NOT NULL,
            lease_end_ms BIGINT NOT NULL,
            PRIMARY KEY (network, cell)
        );
        CREATE INDEX grid_cells_leased ON grid_cells (lease) WHERE lease <> 0;
        CREATE INDEX grid_cells_by_expiry ON grid_cells (expires_ms);
        CREATE INDEX grid_cells_by_cell ON grid_cells (cell);
        CREATE TABLE network_standings (
            network TEXT PRIMARY KEY,
            slot_us BIGINT NOT NULL,
            day BIGINT NOT NULL,
            day_count BIGINT NOT NULL,
            failures BIGINT NOT NULL,
            closed_until_ms BIGINT NOT NULL,
            failure_kind BIGINT,
            failure_reason TEXT NOT NULL
        );
        """)

    /// What administrators have said about networks: it wins over what is configured.
    private static let switches = Migration(
        "0.2.0 network switches",
        """
        CREATE TABLE network_switches (
            network TEXT PRIMARY KEY,
            is_on BOOLEAN NOT NULL,
            contact TEXT NOT NULL,
            account TEXT NOT NULL,
            changed_ms BIGINT NOT NULL,
            version BIGINT NOT NULL
        );
        """)
}
