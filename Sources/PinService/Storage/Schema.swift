import Storage

/// The tables of the service. Every row is private to the account that it names.
enum Schema {
    /// Append-only: a released step is never edited.
    static let migrations = [
        // The index holds all that a search for near pins looks at, so that only pins that are shown are read.
        Migration(
            "0001 pins",
            """
            CREATE TABLE pins (
                id BYTEA PRIMARY KEY,
                account TEXT NOT NULL,
                name TEXT NOT NULL,
                is_named BOOLEAN NOT NULL,
                latitude_e7 BIGINT NOT NULL,
                longitude_e7 BIGINT NOT NULL,
                cell BIGINT NOT NULL,
                radius_m DOUBLE PRECISION NOT NULL,
                state BIGINT NOT NULL,
                generation BIGINT NOT NULL,
                created_ms BIGINT NOT NULL
            );
            CREATE INDEX pins_by_cell ON pins (account, cell, latitude_e7, longitude_e7, id);
            """)
    ]
}
