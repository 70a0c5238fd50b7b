import Storage

/// The tables of the service. Photos are shared: no row belongs to an account.
enum Schema {
    /// Append-only: a released step is never edited.
    static let migrations = [
        // The index holds all that a search for near photos looks at, so that only photos that are shown are read.
        Migration(
            "0001 photos",
            """
            CREATE TABLE photos (
                id TEXT PRIMARY KEY,
                network TEXT NOT NULL,
                provider_id TEXT NOT NULL,
                title TEXT NOT NULL,
                latitude_e7 BIGINT NOT NULL,
                longitude_e7 BIGINT NOT NULL,
                cell BIGINT NOT NULL,
                author TEXT NOT NULL,
                licence TEXT NOT NULL,
                source_url TEXT NOT NULL,
                original_url TEXT NOT NULL,
                width BIGINT NOT NULL,
                height BIGINT NOT NULL,
                taken_ms BIGINT
            );
            CREATE INDEX photos_by_cell ON photos (cell, latitude_e7, longitude_e7, id);
            """)
    ]
}
