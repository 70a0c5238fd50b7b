import Storage

extension PhotoSchema {
    // `album_photos` lists what an album contains, including what its account has removed: a removal only hides.
    // `list_version` is that of the last change of which photos are shown, and in which order. `album_shown` records in
    // which collection a photo was last shown. `wanted_size` is 0 unless a New Collection of that size was requested.
    static let albums = Migration(
        "0003 albums",
        """
        CREATE TABLE albums (
            subject TEXT PRIMARY KEY,
            account TEXT NOT NULL,
            generation BIGINT NOT NULL,
            searched_generation BIGINT NOT NULL,
            latitude_e7 BIGINT NOT NULL,
            longitude_e7 BIGINT NOT NULL,
            radius_m DOUBLE PRECISION NOT NULL,
            is_searching BOOLEAN NOT NULL,
            is_opened BOOLEAN NOT NULL,
            collection BIGINT NOT NULL,
            wanted_size BIGINT NOT NULL,
            wants_removed BOOLEAN NOT NULL,
            collector TEXT NOT NULL,
            collected_ms BIGINT NOT NULL,
            next_ordinal BIGINT NOT NULL,
            photo_count BIGINT NOT NULL,
            ready_count BIGINT NOT NULL,
            failed_count BIGINT NOT NULL,
            repeated_count BIGINT NOT NULL,
            warning TEXT NOT NULL,
            version BIGINT NOT NULL,
            list_version BIGINT NOT NULL
        );
        CREATE INDEX albums_by_version ON albums (version);
        CREATE TABLE album_photos (
            subject TEXT NOT NULL,
            photo_id TEXT NOT NULL,
            ordinal BIGINT NOT NULL,
            PRIMARY KEY (subject, photo_id)
        );
        CREATE INDEX album_photos_by_photo ON album_photos (photo_id, subject);
        CREATE TABLE album_shown (
            subject TEXT NOT NULL,
            photo_id TEXT NOT NULL,
            collection BIGINT NOT NULL,
            PRIMARY KEY (subject, photo_id)
        );
        CREATE TABLE removals (
            subject TEXT NOT NULL,
            account TEXT NOT NULL,
            photo_id TEXT NOT NULL,
            ordinal BIGINT NOT NULL,
            PRIMARY KEY (subject, account, photo_id)
        );
        CREATE TABLE search_places (
            pin TEXT NOT NULL,
            place TEXT NOT NULL,
            latitude_e7 BIGINT NOT NULL,
            longitude_e7 BIGINT NOT NULL,
            cell BIGINT NOT NULL,
            PRIMARY KEY (pin, place)
        );
        CREATE INDEX search_places_by_place ON search_places (place, pin);
        CREATE INDEX search_places_by_cell ON search_places (cell, latitude_e7, longitude_e7, place);
        CREATE TABLE forgotten (pin TEXT PRIMARY KEY, forgotten_ms BIGINT NOT NULL);
        CREATE INDEX forgotten_by_time ON forgotten (forgotten_ms);
        """)

    // Watchers of all albums use their versions, some at a time: each album gets its own. All are sent once more, as
    // albums that shared a version may have been left out.
    static let versions = Migration(
        "0006 versions of albums",
        """
        DROP INDEX albums_by_version;
        UPDATE versions SET last = last + (SELECT count(*) FROM albums) WHERE id = 1;
        UPDATE albums SET version = (SELECT last FROM versions WHERE id = 1) - numbered.behind
        FROM (SELECT subject, row_number() OVER (ORDER BY version DESC, subject) - 1 AS behind FROM albums) AS numbered
        WHERE albums.subject = numbered.subject;
        CREATE UNIQUE INDEX albums_by_version ON albums (version);
        """)

    // Until now a pin was searched once, when all its places were known. `missing_count` is how many photos the first
    // search of this generation may still get from networks that have not answered.
    static let albumsBeforePlaces = Migration(
        "0011 albums before places",
        """
        ALTER TABLE albums ADD COLUMN named_generation BIGINT NOT NULL DEFAULT 0;
        ALTER TABLE albums ADD COLUMN complete_generation BIGINT NOT NULL DEFAULT 0;
        ALTER TABLE albums ADD COLUMN missing_count BIGINT NOT NULL DEFAULT 0;
        UPDATE albums SET named_generation = generation, complete_generation = searched_generation;
        """)
}
