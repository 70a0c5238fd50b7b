import Accounts
import Posts
import Storage
import Stores

/// The tables of the service. Every row is private to the account that it, or its pin, names.
enum PinSchema {
    static let migrations =
        ofPins + AccountSchema.migrations + PostSchema.migrations + AccountSchema.later + [settings]
        + AccountSchema.afterSettings + [limits, notes] + AccountSchema.afterNotes + [
            shares, lists, stars, imports, sharedLists,
        ] + AccountSchema.afterLists + [
            importedLists, albumShares, grants, PostSchema.versions, names, waits, minorPlaces, ownedAreas, photoCounts,
        ]

    /// Append-only: a released step is never edited.
    private static let ofPins = [
        // The index holds everything that a search for near pins reads, so that only pins that are returned are read.
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
            """),
        JobSchema.migration,
        VersionSchema.migration,
        RequestSchema.migration,
        // A link is a copy of what a place's page shows. `is_told`: the photo service knows the place for this pin.
        // `album_feed` has one row: the position up to which the photo service's summaries were read.
        Migration(
            "0005 places of pins",
            """
            ALTER TABLE pins ADD COLUMN version BIGINT NOT NULL DEFAULT 0;
            ALTER TABLE pins ADD COLUMN place_count BIGINT NOT NULL DEFAULT 0;
            ALTER TABLE pins ADD COLUMN photo_place_count BIGINT NOT NULL DEFAULT 0;
            ALTER TABLE pins ADD COLUMN photo_count BIGINT NOT NULL DEFAULT 0;
            ALTER TABLE pins ADD COLUMN album_state BIGINT NOT NULL DEFAULT 1;
            ALTER TABLE pins ADD COLUMN album_photo_count BIGINT NOT NULL DEFAULT 0;
            ALTER TABLE pins ADD COLUMN album_ready_count BIGINT NOT NULL DEFAULT 0;
            ALTER TABLE pins ADD COLUMN album_failed_count BIGINT NOT NULL DEFAULT 0;
            ALTER TABLE pins ADD COLUMN album_generation BIGINT NOT NULL DEFAULT 0;
            ALTER TABLE pins ADD COLUMN span_latitude DOUBLE PRECISION;
            ALTER TABLE pins ADD COLUMN span_longitude DOUBLE PRECISION;
            CREATE INDEX pins_by_time ON pins (account, created_ms, id);
            CREATE TABLE pin_searches (
                pin BYTEA NOT NULL,
                network TEXT NOT NULL,
                generation BIGINT NOT NULL,
                state BIGINT NOT NULL,
                place_count BIGINT NOT NULL,
                is_truncated BOOLEAN NOT NULL,
                warning TEXT NOT NULL,
                refusals BIGINT NOT NULL,
                PRIMARY KEY (pin, network)
            );
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
                PRIMARY KEY (pin, place)
            );
            CREATE INDEX links_by_distance ON links (pin, distance_m, place);
            CREATE INDEX links_by_place ON links (place, photo_count);
            CREATE INDEX links_by_version ON links (pin, version);
            CREATE INDEX links_untold ON links (pin, place) WHERE is_told = FALSE;
            CREATE TABLE map_regions (
                account TEXT PRIMARY KEY,
                latitude_e7 BIGINT NOT NULL,
                longitude_e7 BIGINT NOT NULL,
                span_latitude DOUBLE PRECISION NOT NULL,
                span_longitude DOUBLE PRECISION NOT NULL
            );
            CREATE TABLE album_feed (id BIGINT PRIMARY KEY, version BIGINT NOT NULL, epoch BIGINT NOT NULL);
            INSERT INTO album_feed (id, version, epoch) VALUES (1, 0, 0);
            """),
        // Watchers of all pins of an account use the pins' versions: each pin gets its own. `state_version` is that of
        // the last change of the state or the name. `removals_kept` has one row: removals up to that version may be
        // forgotten.
        Migration(
            "0006 watches of accounts",
            """
            ALTER TABLE pins ADD COLUMN state_version BIGINT NOT NULL DEFAULT 0;
            UPDATE versions SET last = last + (SELECT count(*) FROM pins) WHERE id = 1;
            UPDATE pins SET version = (SELECT last FROM versions WHERE id = 1) - numbered.behind
            FROM (SELECT id, row_number() OVER (ORDER BY id DESC) - 1 AS behind FROM pins) AS numbered
            WHERE pins.id = numbered.id;
            CREATE UNIQUE INDEX pins_by_version ON pins (account, version);
            CREATE TABLE removals (
                account TEXT NOT NULL,
                version BIGINT NOT NULL,
                pin BYTEA NOT NULL,
                removed_ms BIGINT NOT NULL,
                PRIMARY KEY (account, version)
            );
            CREATE INDEX removals_by_time ON removals (removed_ms);
            CREATE TABLE removals_kept (id BIGINT PRIMARY KEY, after_version BIGINT NOT NULL);
            INSERT INTO removals_kept (id, after_version) VALUES (1, 0);
            """),
        JobSchema.leases,
        JobSchema.kills,
        neighbours, SubjectSchema.migration, removals, JobSchema.owners, DataName.migration, pictureTags,
        heldAreas,
    ]
}

extension PinSchema {
    // Whether a place is minor is sent to the photo service, which gives it no photos. `minor` is -1 while that is not
    // known: the places of the catalog are searched for once more, and those that may be minor are sent again.
    static let minorPlaces = Migration(
        "0054 minor places",
        """
        ALTER TABLE neighbours ADD COLUMN minor BIGINT NOT NULL DEFAULT -1;
        UPDATE links SET is_told = FALSE
        WHERE substr(categories, 1, 7) IN ('address', 'adverti', 'amenity', 'barrier', 'emergen', 'entranc', 'highway',
            'leisure', 'man_mad', 'pipelin', 'public_', 'railway', 'telecom', 'traffic')
            OR categories LIKE 'power/%';
        INSERT INTO jobs (kind, key, tries, next_ms, lease, lease_end_ms, is_wanted_again, reason)
        SELECT 'discover', lower(hex(substr(pin, 1, 4)) || '-' || hex(substr(pin, 5, 2)) || '-'
            || hex(substr(pin, 7, 2)) || '-' || hex(substr(pin, 9, 2)) || '-'
            || hex(substr(pin, 11, 6))) || '/catalog', 0, 0, 0, 0, FALSE, ''
        FROM pin_searches WHERE network = 'catalog'
        ON CONFLICT (kind, key) DO NOTHING;
        """,
        postgreSQL: """
            ALTER TABLE neighbours ADD COLUMN minor BIGINT NOT NULL DEFAULT -1;
            UPDATE links SET is_told = FALSE
            WHERE substr(categories, 1, 7) IN ('address', 'adverti', 'amenity', 'barrier', 'emergen', 'entranc',
                'highway', 'leisure', 'man_mad', 'pipelin', 'public_', 'railway', 'telecom', 'traffic')
                OR categories LIKE 'power/%';
            INSERT INTO jobs (kind, key, tries, next_ms, lease, lease_end_ms, is_wanted_again, reason)
            SELECT 'discover', encode(substr(pin, 1, 4), 'hex') || '-' || encode(substr(pin, 5, 2), 'hex') || '-'
                || encode(substr(pin, 7, 2), 'hex') || '-' || encode(substr(pin, 9, 2), 'hex') || '-'
                || encode(substr(pin, 11, 6), 'hex') || '/catalog', 0, 0, 0, 0, FALSE, ''
            FROM pin_searches WHERE network = 'catalog'
            ON CONFLICT (kind, key) DO NOTHING;
            """)

    // Places around a pin that are not linked to it; the photo service knows them too, so that a photo goes to the
    // nearest place. Pins of an earlier version of the program have none: their places of the catalog are searched for
    // once more, by a job whose key begins with the pin's id as text.
    static let neighbours = Migration(
        "0007 neighbours of pins' places",
        """
        CREATE TABLE neighbours (
            pin BYTEA NOT NULL,
            place TEXT NOT NULL,
            latitude_e7 BIGINT NOT NULL,
            longitude_e7 BIGINT NOT NULL,
            is_told BOOLEAN NOT NULL,
            PRIMARY KEY (pin, place)
        );
        CREATE INDEX neighbours_untold ON neighbours (pin, place) WHERE is_told = FALSE;
        INSERT INTO jobs (kind, key, tries, next_ms, lease, lease_end_ms, is_wanted_again, reason)
        SELECT 'discover', lower(hex(substr(pin, 1, 4)) || '-' || hex(substr(pin, 5, 2)) || '-'
            || hex(substr(pin, 7, 2)) || '-' || hex(substr(pin, 9, 2)) || '-'
            || hex(substr(pin, 11, 6))) || '/catalog', 0, 0, 0, 0, FALSE, ''
        FROM pin_searches WHERE network = 'catalog'
        ON CONFLICT (kind, key) DO NOTHING;
        """,
        // No earlier version of the program has kept pins there.
        postgreSQL: """
            CREATE TABLE neighbours (
                pin BYTEA NOT NULL,
                place TEXT NOT NULL,
                latitude_e7 BIGINT NOT NULL,
                longitude_e7 BIGINT NOT NULL,
                is_told BOOLEAN NOT NULL,
                PRIMARY KEY (pin, place)
            );
            CREATE INDEX neighbours_untold ON neighbours (pin, place) WHERE is_told = FALSE;
            """)

    // Each account has versions of its own: removals up to this one may be forgotten. Before, one number was for all.
    static let removals = Migration(
        "0008 forgotten removals of accounts",
        """
        CREATE TABLE forgotten_removals (account TEXT PRIMARY KEY, version BIGINT NOT NULL);
        """)

    // What a place's entry says about pictures of it. Places that were linked before say so when their pin moves.
    static let pictureTags = Migration(
        "0009 tags of pictures", "ALTER TABLE links ADD COLUMN picture_tags TEXT NOT NULL DEFAULT '';")

    // What owners keep with their pins; '' for nothing. Days are written after ISO 8601.
    static let notes = Migration(
        "0035 notes of pins",
        """
        ALTER TABLE pins ADD COLUMN note TEXT NOT NULL DEFAULT '';
        ALTER TABLE pins ADD COLUMN visited_day TEXT NOT NULL DEFAULT '';
        """)

    static let shares = Migration(
        "0039 shares",
        """
        CREATE TABLE shares (
            id TEXT PRIMARY KEY,
            account TEXT NOT NULL,
            pin BYTEA NOT NULL,
            created_ms BIGINT NOT NULL,
            expires_ms BIGINT,
            password TEXT NOT NULL,
            with_note BOOLEAN NOT NULL,
            with_immich BOOLEAN NOT NULL,
            opened BIGINT NOT NULL,
            opened_ms BIGINT
        );
        CREATE INDEX shares_by_account ON shares (account, created_ms, id);
        CREATE INDEX shares_by_pin ON shares (pin);
        """)

    // A row of `list_pins` is a pin in a list; `pin_count` is how many of a list there are.
    static let lists = Migration(
        "0040 lists of pins",
        """
        CREATE TABLE lists (
            id BYTEA PRIMARY KEY,
            account TEXT NOT NULL,
            name TEXT NOT NULL,
            colour BIGINT NOT NULL,
            created_ms BIGINT NOT NULL,
            pin_count BIGINT NOT NULL
        );
        CREATE INDEX lists_by_account ON lists (account, created_ms, id);
        CREATE TABLE list_pins (
            list BYTEA NOT NULL,
            pin BYTEA NOT NULL,
            added_ms BIGINT NOT NULL,
            PRIMARY KEY (list, pin)
        );
        CREATE INDEX list_pins_by_time ON list_pins (list, added_ms, pin);
        CREATE INDEX list_pins_by_pin ON list_pins (pin, list);
        """)

    // Places with a star, as they were when they got it; `ordinal` is their position in the order.
    static let stars = Migration(
        "0041 stars of places",
        """
        CREATE TABLE stars (
            account TEXT NOT NULL,
            place TEXT NOT NULL,
            name TEXT NOT NULL,
            categories TEXT NOT NULL,
            latitude_e7 BIGINT NOT NULL,
            longitude_e7 BIGINT NOT NULL,
            whereabouts TEXT NOT NULL,
            starred_ms BIGINT NOT NULL,
            ordinal BIGINT NOT NULL,
            PRIMARY KEY (account, place)
        );
        CREATE INDEX stars_by_ordinal ON stars (account, ordinal);
        """)

    // A share leads to a pin or to a list.
    static let sharedLists = Migration(
        "0044 shares of lists",
        """
        ALTER TABLE shares RENAME COLUMN pin TO subject;
        ALTER TABLE shares ADD COLUMN is_list BOOLEAN NOT NULL DEFAULT FALSE;
        """)

    // `imported_by` is the import that made a list, until its owner has changed it.
    static let importedLists = Migration(
        "0050 lists of imports",
        """
        ALTER TABLE lists ADD COLUMN imported_by TEXT NOT NULL DEFAULT '';
        ALTER TABLE pin_imports ADD COLUMN lists BIGINT NOT NULL DEFAULT 0;
        ALTER TABLE pin_imports ADD COLUMN left_out_lists BIGINT NOT NULL DEFAULT 0;
        """)

    // A share shows a pin, or its album alone.
    static let albumShares = Migration(
        "0047 shares of albums", "ALTER TABLE shares ADD COLUMN album_only BOOLEAN NOT NULL DEFAULT FALSE;")

    // A pin or a list that an account shares with the one of an e-mail address; `guest` is '' when there was none.
    static let grants = Migration(
        "0048 grants",
        """
        CREATE TABLE grants (
            id TEXT PRIMARY KEY,
            account TEXT NOT NULL,
            subject BYTEA NOT NULL,
            is_list BOOLEAN NOT NULL,
            email TEXT NOT NULL,
            email_key TEXT NOT NULL,
            guest TEXT NOT NULL,
            access BIGINT NOT NULL,
            created_ms BIGINT NOT NULL
        );
        CREATE UNIQUE INDEX grants_by_subject ON grants (subject, email_key);
        CREATE INDEX grants_by_account ON grants (account, created_ms, id);
        CREATE INDEX grants_by_guest ON grants (guest, created_ms, id);
        """)

    // For imports, which ask for each pin whether it is there: all pins may be at one spot.
    static let names = Migration(
        "0052 names of pins", "CREATE INDEX pins_by_name ON pins (account, name, cell);")

    // What pins wait for, and what they don't: `lates` is how often a network was late while a pin waited;
    // `album_warning` and `photo_trouble` say why photos may be missing.
    static let waits = Migration(
        "0053 waits of pins",
        """
        ALTER TABLE pin_searches ADD COLUMN lates BIGINT NOT NULL DEFAULT 0;
        ALTER TABLE pins ADD COLUMN album_warning TEXT NOT NULL DEFAULT '';
        ALTER TABLE pins ADD COLUMN photo_trouble TEXT NOT NULL DEFAULT '';
        CREATE INDEX pin_searches_awaited ON pin_searches (network, pin) WHERE state = 1;
        CREATE INDEX pins_unsettled ON pins (id) WHERE state < 3 AND generation > 0;
        """)

    // The places service learns where the pins of an earlier version of the program are, and later whose they are: what
    // was found there is the account's.
    static let heldAreas = holdingAll("0018 held areas")
    static let ownedAreas = holdingAll("0055 whose areas are held")

    // Photos of places were counted for all accounts alike: they are read once more, by account.
    static let photoCounts = Migration("0056 photo counts by account", "UPDATE album_feed SET version = 0;")

    /// Says where each pin is, as when it was made.
    private static func holdingAll(_ name: String) -> Migration {
        Migration(
            name,
            """
            INSERT INTO jobs (kind, key, tries, next_ms, lease, lease_end_ms, is_wanted_again, reason)
            SELECT 'hold', lower(hex(substr(id, 1, 4)) || '-' || hex(substr(id, 5, 2)) || '-'
                || hex(substr(id, 7, 2)) || '-' || hex(substr(id, 9, 2)) || '-'
                || hex(substr(id, 11, 6))), 0, 0, 0, 0, FALSE, ''
            FROM pins WHERE TRUE
            ON CONFLICT (kind, key) DO NOTHING;
            """,
            postgreSQL: """
                INSERT INTO jobs (kind, key, tries, next_ms, lease, lease_end_ms, is_wanted_again, reason)
                SELECT 'hold', encode(substr(id, 1, 4), 'hex') || '-' || encode(substr(id, 5, 2), 'hex') || '-'
                    || encode(substr(id, 7, 2), 'hex') || '-' || encode(substr(id, 9, 2), 'hex') || '-'
                    || encode(substr(id, 11, 6), 'hex'), 0, 0, 0, 0, FALSE, ''
                FROM pins
                ON CONFLICT (kind, key) DO NOTHING;
                """)
    }
}
