import Storage

/// The table of tracks.
enum TrackSchema {
    // `shape` is as `PackedTrack` says; `digest` is of it and the name, so that no account has a track twice. The edges
    // are in 1e-7 degrees. `imported_by` is the import that has made it. A pin_import has how many its file has.
    static let migration = Migration(
        "0.3.0 tracks",
        """
        CREATE TABLE tracks (
            id BYTEA PRIMARY KEY,
            account TEXT NOT NULL,
            name TEXT NOT NULL,
            list BYTEA,
            colour BIGINT NOT NULL,
            south_e7 BIGINT NOT NULL,
            west_e7 BIGINT NOT NULL,
            north_e7 BIGINT NOT NULL,
            east_e7 BIGINT NOT NULL,
            point_count BIGINT NOT NULL,
            length_m DOUBLE PRECISION NOT NULL,
            byte_count BIGINT NOT NULL,
            shape BYTEA NOT NULL,
            digest BYTEA NOT NULL,
            created_ms BIGINT NOT NULL,
            imported_by TEXT NOT NULL
        );
        CREATE UNIQUE INDEX tracks_by_account ON tracks (account, digest);
        CREATE INDEX tracks_by_import ON tracks (imported_by);
        CREATE INDEX tracks_by_list ON tracks (list) WHERE list IS NOT NULL;
        ALTER TABLE pin_imports ADD COLUMN tracks BIGINT NOT NULL DEFAULT 0;
        """)

    // `details` is as `PackedTrack` says; what a file does not say is NULL.
    static let details = Migration(
        "0.3.0 kinds, heights and times of tracks",
        """
        ALTER TABLE tracks ADD COLUMN kind BIGINT NOT NULL DEFAULT 1;
        ALTER TABLE tracks ADD COLUMN details BYTEA;
        ALTER TABLE tracks ADD COLUMN climb_m DOUBLE PRECISION;
        ALTER TABLE tracks ADD COLUMN start_ms BIGINT;
        ALTER TABLE tracks ADD COLUMN duration_ms BIGINT;
        ALTER TABLE pin_imports ADD COLUMN added_tracks BIGINT NOT NULL DEFAULT 0;
        ALTER TABLE pin_imports ADD COLUMN removed_tracks BIGINT NOT NULL DEFAULT 0;
        """)
}
