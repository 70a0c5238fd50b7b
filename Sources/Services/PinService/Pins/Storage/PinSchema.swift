import Storage

/// The tables of pins. Every row is private to the account that it, or its pin, names.
enum PinSchema {
    static let migrations = [pins, places, removals, names, areas]

    // `pins_by_cell` holds everything that a search for near pins reads, so that only pins that are returned are read;
    // `pins_by_name` is for imports, which ask for each pin whether it is there. Watchers of all pins of an account use
    // the pins' versions; `state_version` is that of the last change of the state or the name. `networks`: the only
    // ones that the searches of a pin ask, where a key that is limited to them has created or moved it; '*' for all.
    // `note` and `visited_day` are what owners keep with their pins, '' for nothing; days are written after ISO 8601.
    // `imported_by` is the import that made a pin, until its owner has changed it. `album_warning` and `photo_trouble`
    // say why photos may be missing. Of a search, `lates` is how often its network was late while the pin waited.
    private static let pins = Migration(
        "0.2.0 pins",
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
            created_ms BIGINT NOT NULL,
            version BIGINT NOT NULL DEFAULT 0,
            place_count BIGINT NOT NULL DEFAULT 0,
            photo_place_count BIGINT NOT NULL DEFAULT 0,
            photo_count BIGINT NOT NULL DEFAULT 0,
            album_state BIGINT NOT NULL DEFAULT 1,
            album_photo_count BIGINT NOT NULL DEFAULT 0,
            album_ready_count BIGINT NOT NULL DEFAULT 0,
            album_failed_count BIGINT NOT NULL DEFAULT 0,
            album_generation BIGINT NOT NULL DEFAULT 0,
            span_latitude DOUBLE PRECISION,
            span_longitude DOUBLE PRECISION,
            state_version BIGINT NOT NULL DEFAULT 0,
            networks TEXT NOT NULL DEFAULT '*',
            note TEXT NOT NULL DEFAULT '',
            visited_day TEXT NOT NULL DEFAULT '',
            imported_by TEXT NOT NULL DEFAULT '',
            album_warning TEXT NOT NULL DEFAULT '',
            photo_trouble TEXT NOT NULL DEFAULT ''
        );
        CREATE INDEX pins_by_cell ON pins (account, cell, latitude_e7, longitude_e7, id);
        CREATE INDEX pins_by_time ON pins (account, created_ms, id);
        CREATE UNIQUE INDEX pins_by_version ON pins (account, version);
        CREATE INDEX pins_by_import ON pins (imported_by, id) WHERE imported_by <> '';
        CREATE INDEX pins_by_name ON pins (account, name, cell);
        CREATE INDEX pins_unsettled ON pins (id) WHERE state < 3 AND generation > 0;
        CREATE TABLE pin_searches (
            pin BYTEA NOT NULL,
            network TEXT NOT NULL,
            generation BIGINT NOT NULL,
            state BIGINT NOT NULL,
            place_count BIGINT NOT NULL,
            is_truncated BOOLEAN NOT NULL,
            warning TEXT NOT NULL,
            refusals BIGINT NOT NULL,
            lates BIGINT NOT NULL DEFAULT 0,
            PRIMARY KEY (pin, network)
        );
        CREATE INDEX pin_searches_awaited ON pin_searches (network, pin) WHERE state = 1;
        CREATE TABLE map_regions (
            account TEXT PRIMARY KEY,
            latitude_e7 BIGINT NOT NULL,
            longitude_e7 BIGINT NOT NULL,
            span_latitude DOUBLE PRECISION NOT NULL,
            span_longitude DOUBLE PRECISION NOT NULL
        );
        """)

    // A link is a copy of what a place's page shows; `picture_tags` is what the place's entry says about pictures of
    // it. Neighbours are places around a pin that are not linked to it; the photo service knows them too, so that a
    // photo goes to the nearest place. `is_told`: the photo service knows the place for this pin. `minor` is -1 while
    // it is not known whether a place gets photos. `album_feed` has one row: the position up to which the photo
    // service's summaries were read.
    private static let places = Migration(
        "0.2.0 places of pins",
        """
        CREATE TABLE links (
            pin BYTEA NOT NULL,
            place TEXT NOT NULL,
            network TEXT NOT NULL,
            name TEXT NOT NULL,
            categories TEXT NOT NULL,
            latitude_e7 BIGINT NOT NULL,
            longitude_e7 BIGINT NOT NULL,
            distance_m DOUBLE PRECISION NOT NULL,
            photo_count BIGINT NOT NULL,
            is_told BOOLEAN NOT NULL,
            version BIGINT NOT NULL,
            picture_tags TEXT NOT NULL DEFAULT '',
            PRIMARY KEY (pin, place)
        );
        CREATE INDEX links_by_distance ON links (pin, distance_m, place);
        CREATE INDEX links_by_place ON links (place, photo_count);
        CREATE INDEX links_by_version ON links (pin, version);
        CREATE INDEX links_untold ON links (pin, place) WHERE is_told = FALSE;
        CREATE TABLE neighbours (
            pin BYTEA NOT NULL,
            place TEXT NOT NULL,
            latitude_e7 BIGINT NOT NULL,
            longitude_e7 BIGINT NOT NULL,
            is_told BOOLEAN NOT NULL,
            minor BIGINT NOT NULL DEFAULT -1,
            PRIMARY KEY (pin, place)
        );
        CREATE INDEX neighbours_untold ON neighbours (pin, place) WHERE is_told = FALSE;
        CREATE TABLE album_feed (id BIGINT PRIMARY KEY, version BIGINT NOT NULL, epoch BIGINT NOT NULL);
        INSERT INTO album_feed (id, version, epoch) VALUES (1, 0, 0);
        """)

    // Pins were named by the nearest town; `NamesJob` has each named by what it lies in. Without such pins there is no
    // need.
    private static let names = Migration(
        "0.3.0 names of pins by what they lie in",
        """
        INSERT INTO jobs (kind, key, tries, next_ms, lease, lease_end_ms, is_wanted_again, reason)
        SELECT 'names', '', 0, 0, 0, 0, FALSE, '' WHERE EXISTS (SELECT 1 FROM pins WHERE is_named = FALSE);
        """)

    // What pins were named by last, so that they are named again when there are other areas.
    private static let areas = Migration(
        "0.3.0 areas that pins are named by",
        """
        CREATE TABLE named_by (id BIGINT PRIMARY KEY, edition TEXT NOT NULL);
        INSERT INTO named_by (id, edition) VALUES (1, '');
        """)

    // Each account has versions of its own: removals up to the one in `forgotten_removals` may be forgotten.
    private static let removals = Migration(
        "0.2.0 removals of pins",
        """
        CREATE TABLE removals (
            account TEXT NOT NULL,
            version BIGINT NOT NULL,
            pin BYTEA NOT NULL,
            removed_ms BIGINT NOT NULL,
            PRIMARY KEY (account, version)
        );
        CREATE INDEX removals_by_time ON removals (removed_ms);
        CREATE TABLE forgotten_removals (account TEXT PRIMARY KEY, version BIGINT NOT NULL);
        """)
}
