import LiveNetworks
import Storage
import Stores

/// The tables for the answers of live networks.
enum DiscoverySchema {
    static let migrations =
        StorePart.migrations + LedgerSchema.migrations
        + [places, heldAreas, ownPlaces, geocoder, SharedSchema.migration]

    // A place was in an answer at `seen_ms`, is in `grid_cell` of the ledger's grid, and is found by its finer `cell`.
    // A deleted place stays as a row with `removed`, so that a reader of the changes above a version sees it.
    private static let places = Migration(
        "0.2.0 discovered places",
        """
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
        CREATE INDEX discovered_place_by_network_version ON discovered_place (network, version);
        CREATE INDEX discovered_place_by_age ON discovered_place (network, seen_ms) WHERE removed = FALSE;
        """)

    private static let geocoder = Migration(
        "0.2.0 answers of another geocoder",
        """
        CREATE TABLE geocoder_answers (
            question TEXT PRIMARY KEY,
            answer BYTEA NOT NULL,
            expires_ms BIGINT NOT NULL
        );
        CREATE INDEX geocoder_answers_by_expiry ON geocoder_answers (expires_ms);
        """)
}
