import LiveNetworks
import Storage

/// The tables for the answers of live networks.
enum DiscoverySchema {
    /// Append-only: a released step is never edited.
    ///
    /// `grid_cells` is the ledger: a cell is known until `expires_ms`, and is being asked for by the holder of its
    /// lease until `lease_end_ms`. A place was in an answer at `seen_ms`, is in `grid_cell` of the ledger's grid, and
    /// is found by its finer `cell`. A deleted place stays as a row with `removed`, so that a reader of the
    /// changes above a version sees it.
    static let migrations = [
        VersionSchema.migration,
        Migration(
            "0002 discovery",
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
            CREATE TABLE discovered_place (
                network TEXT NOT NULL,
                id TEXT NOT NULL,
                cell BIGINT NOT NULL,
                grid_cell BIGINT NOT NULL,
                latitude_e7 BIGINT NOT NULL,
                longitude_e7 BIGINT NOT NULL,
                seen_ms BIGINT NOT NULL,
                record BYTEA NOT NULL,
                removed BOOLEAN NOT NULL,
                version BIGINT NOT NULL,
                PRIMARY KEY (network, id)
            );
            CREATE INDEX discovered_place_by_cell ON discovered_place (network, cell);
            CREATE INDEX discovered_place_by_grid_cell ON discovered_place (network, grid_cell);
            CREATE INDEX discovered_place_by_version ON discovered_place (version);
            """),
        Migration(
            "0003 answers of another geocoder",
            """
            CREATE TABLE geocoder_answers (
                question TEXT PRIMARY KEY,
                answer BYTEA NOT NULL,
                expires_ms BIGINT NOT NULL
            );
            CREATE INDEX geocoder_answers_by_expiry ON geocoder_answers (expires_ms);
            """),
        Migration("0004 which store this is", "CREATE TABLE stores (id BIGINT PRIMARY KEY, number BIGINT NOT NULL);"),
        Migration(
            "0005 each network by version",
            """
            CREATE INDEX discovered_place_by_network_version ON discovered_place (network, version);
            DROP INDEX discovered_place_by_version;
            """),
        // Earlier rows may be answers to another text.
        Migration("0006 answers by all of their text", "DELETE FROM geocoder_answers;"),
        SubjectSchema.migration, RequestSchema.migration, JobSchema.migration, JobSchema.leases, JobSchema.kills,
        JobSchema.owners, JobSchema.places, SharedSchema.migration, LedgerSchema.switches, heldAreas,
        LedgerSchema.shares, ownPlaces,
    ]
}
