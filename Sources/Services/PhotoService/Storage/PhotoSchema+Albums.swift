import Storage

extension PhotoSchema {
    // `album_photos` lists what an album contains, including what its account has removed: a removal only hides.
    // `list_version` is that of the last change of which photos are shown, and in which order. `album_shown` records in
    // which collection a photo was last shown. `wanted_size` is 0 unless a New Collection of that size was requested.
    // `missing_count` is how many photos the first search of this generation may still get from networks that have not
    // answered. `networks`: '*' for all, or the only ones that are asked for an album of a pin.
    static let albums = Migration(
        "0.2.0 albums",
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
            list_version BIGINT NOT NULL,
            named_generation BIGINT NOT NULL DEFAULT 0,
            complete_generation BIGINT NOT NULL DEFAULT 0,
            missing_count BIGINT NOT NULL DEFAULT 0,
            networks TEXT NOT NULL DEFAULT '*'
        );
        CREATE UNIQUE INDEX albums_by_version ON albums (version);
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
        CREATE INDEX album_shown_by_photo ON album_shown (photo_id);
        CREATE TABLE removals (
            subject TEXT NOT NULL,
            account TEXT NOT NULL,
            photo_id TEXT NOT NULL,
            ordinal BIGINT NOT NULL,
            PRIMARY KEY (subject, account, photo_id)
        );
        CREATE INDEX removals_by_photo ON removals (photo_id, account);
        CREATE INDEX removals_by_account ON removals (account);
        CREATE TABLE forgotten (pin TEXT PRIMARY KEY, forgotten_ms BIGINT NOT NULL);
        CREATE INDEX forgotten_by_time ON forgotten (forgotten_ms);
        """)

    // `known_places` has one row for each place that the search of a pin has named: its position does not depend on the
    // pin. `picture_tags` is what its entry says about pictures of it, `named_ms` when networks were last asked for
    // these, 0 for never; a place that `is_minor` gets no photos for lying near by. `search_places` records which pins
    // have named a place. `place_changes` has one row, which counts the changes of `known_places`.
    static let places = Migration(
        "0.2.0 places of albums",
        """
        CREATE TABLE known_places (
            place TEXT PRIMARY KEY,
            latitude_e7 BIGINT NOT NULL,
            longitude_e7 BIGINT NOT NULL,
            cell BIGINT NOT NULL,
            picture_tags TEXT NOT NULL DEFAULT '',
            named_ms BIGINT NOT NULL DEFAULT 0,
            is_minor BOOLEAN NOT NULL DEFAULT FALSE
        );
        CREATE INDEX known_places_by_cell ON known_places (cell, latitude_e7, longitude_e7, place);
        CREATE TABLE search_places (pin TEXT NOT NULL, place TEXT NOT NULL, PRIMARY KEY (pin, place));
        CREATE INDEX search_places_by_place ON search_places (place, pin);
        CREATE TABLE place_changes (id BIGINT PRIMARY KEY, count BIGINT NOT NULL);
        INSERT INTO place_changes (id, count) VALUES (1, 0);
        """)
}
