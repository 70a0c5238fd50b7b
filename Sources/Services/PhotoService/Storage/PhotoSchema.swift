import LiveNetworks
import Storage

/// The tables of the service. Photos are shared: no row belongs to an account.
enum PhotoSchema {
    /// Append-only: a released step is never edited.
    static let migrations = [
        photos, VersionSchema.migration, RequestSchema.migration, JobSchema.migration, pictures, albums, ages,
        JobSchema.leases, unusable, JobSchema.kills, versions,
        knownPlaces, SubjectSchema.migration, JobSchema.owners, failures, scans, JobSchema.places,
        LedgerSchema.migration, ofNetworks, albumsBeforePlaces, favourites, uploads, pictureTags,
        views, seen, fetched, kinds, networkKeys, LedgerSchema.switches, tags, byPhoto,
        enabledNetworks, owned, guests, numbers, minorPlaces, offsets, LedgerSchema.shares, ownPhotos,
    ]

    // The index holds everything that a search for near photos reads, so that only photos that are returned are read.
    private static let photos = Migration(
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

    // A photo of the folder remembers its file as it was when it was read, so that a scan reads only what changed.
    private static let pictures = Migration(
        "0002 pictures",
        """
        ALTER TABLE photos ADD COLUMN version BIGINT NOT NULL DEFAULT 0;
        ALTER TABLE photos ADD COLUMN state BIGINT NOT NULL DEFAULT 0;
        ALTER TABLE photos ADD COLUMN byte_count BIGINT NOT NULL DEFAULT 0;
        ALTER TABLE photos ADD COLUMN failure TEXT NOT NULL DEFAULT '';
        ALTER TABLE photos ADD COLUMN placeholder TEXT NOT NULL DEFAULT '';
        ALTER TABLE photos ADD COLUMN modified_ns BIGINT NOT NULL DEFAULT 0;
        ALTER TABLE photos ADD COLUMN orientation BIGINT NOT NULL DEFAULT 1;
        CREATE INDEX photos_by_network ON photos (network, id);
        CREATE TABLE pictures (
            photo_id TEXT NOT NULL,
            size BIGINT NOT NULL,
            blob BYTEA NOT NULL,
            byte_count BIGINT NOT NULL,
            width BIGINT NOT NULL,
            height BIGINT NOT NULL,
            PRIMARY KEY (photo_id, size)
        );
        CREATE INDEX pictures_by_blob ON pictures (blob);
        CREATE TABLE store (id BIGINT PRIMARY KEY, epoch BIGINT NOT NULL);
        """)

    // Large pictures are evicted, the oldest first; the index holds everything that is read for that.
    private static let ages = Migration(
        "0004 ages of pictures",
        """
        ALTER TABLE pictures ADD COLUMN made_ms BIGINT NOT NULL DEFAULT 0;
        CREATE INDEX pictures_by_age ON pictures (size, made_ms, photo_id, byte_count);
        """)

    // When a network's answer last listed a photo, and in which cell of the ledger's grid it is.
    private static let ofNetworks = Migration(
        "0010 photos of networks",
        """
        ALTER TABLE photos ADD COLUMN seen_ms BIGINT NOT NULL DEFAULT 0;
        ALTER TABLE photos ADD COLUMN grid_cell BIGINT NOT NULL DEFAULT -1;
        CREATE INDEX photos_by_grid_cell ON photos (network, grid_cell) WHERE grid_cell <> -1;
        """)

    // A file that can't be used is remembered as it was when it was read, so that a scan does not read it again. A
    // version that can use more files has to empty the table.
    private static let unusable = Migration(
        "0005 unusable files",
        """
        CREATE TABLE unusable_files (
            path TEXT PRIMARY KEY,
            modified_ns BIGINT NOT NULL,
            byte_count BIGINT NOT NULL,
            reason TEXT NOT NULL
        );
        """)
}

extension PhotoSchema {
    // `known_places` has one row for each place that the search of a pin has named: its position does not depend on the
    // pin. `search_places` records which pins have named it. `place_changes` has one row, which counts the changes of
    // `known_places`. An earlier version gave a photo to the nearest of one pin's places: every pin is searched again.
    static let knownPlaces = Migration(
        "0007 known places",
        """
        CREATE TABLE known_places (
            place TEXT PRIMARY KEY,
            latitude_e7 BIGINT NOT NULL,
            longitude_e7 BIGINT NOT NULL,
            cell BIGINT NOT NULL
        );
        INSERT INTO known_places (place, latitude_e7, longitude_e7, cell)
        SELECT place, latitude_e7, longitude_e7, cell FROM search_places AS named
        WHERE NOT EXISTS (
            SELECT 1 FROM search_places AS other WHERE other.place = named.place AND other.pin < named.pin);
        CREATE INDEX known_places_by_cell ON known_places (cell, latitude_e7, longitude_e7, place);
        DROP INDEX search_places_by_cell;
        ALTER TABLE search_places DROP COLUMN latitude_e7;
        ALTER TABLE search_places DROP COLUMN longitude_e7;
        ALTER TABLE search_places DROP COLUMN cell;
        CREATE TABLE place_changes (id BIGINT PRIMARY KEY, count BIGINT NOT NULL);
        INSERT INTO place_changes (id, count) VALUES (1, 0);
        INSERT INTO jobs (kind, key, tries, next_ms, lease, lease_end_ms, is_wanted_again, reason)
        SELECT 'search', subject, 0, 0, 0, 0, FALSE, '' FROM albums
        WHERE subject > 'pin/' AND subject < 'pin0' AND searched_generation = generation
        ON CONFLICT (kind, key) DO NOTHING;
        """)

    // Places that get no photos for lying near by; the pin service says which. Accounts that have chosen networks
    // before there was a folder of pictures get its photos too: albums that never had one look again at what is stored.
    private static let minorPlaces = Migration(
        "0053 minor places",
        """
        ALTER TABLE known_places ADD COLUMN is_minor BOOLEAN NOT NULL DEFAULT FALSE;
        UPDATE enabled_networks SET networks = networks || ' folder'
        WHERE networks <> '' AND networks <> '*' AND ' ' || networks || ' ' NOT LIKE '% folder %';
        INSERT INTO jobs (kind, key, tries, next_ms, lease, lease_end_ms, is_wanted_again, reason)
        SELECT 'relist', subject, 0, 0, 0, 0, FALSE, '' FROM albums
        WHERE subject > 'pin/' AND subject < 'pin0' AND searched_generation = generation AND next_ordinal = 0
        ON CONFLICT (kind, key) DO NOTHING;
        """)

    // How far the clocks were ahead of UTC where a photo was taken. `reading` is which way of reading files the record
    // of a photo in the folder is from: those of an earlier one are read again, as are files that could not be used.
    private static let offsets = Migration(
        "0054 offsets of times",
        """
        ALTER TABLE photos ADD COLUMN taken_offset_min BIGINT;
        ALTER TABLE photos ADD COLUMN reading BIGINT NOT NULL DEFAULT 0;
        DELETE FROM unusable_files;
        """)

    // A photo that is a favourite keeps its record and its picture, whatever becomes of albums, files and networks.
    private static let favourites = Migration(
        "0012 favourites",
        """
        CREATE TABLE favourites (
            account TEXT NOT NULL,
            photo_id TEXT NOT NULL,
            network TEXT NOT NULL,
            place_name TEXT NOT NULL,
            added_ms BIGINT NOT NULL,
            ordinal BIGINT NOT NULL,
            PRIMARY KEY (account, photo_id)
        );
        CREATE INDEX favourites_by_age ON favourites (account, ordinal);
        CREATE INDEX favourites_by_photo ON favourites (photo_id);
        """)

    // A photo with an owner is seen by that account alone. Its file is its picture of size 3.
    private static let uploads = Migration(
        "0013 uploads",
        """
        ALTER TABLE photos ADD COLUMN owner TEXT NOT NULL DEFAULT '';
        CREATE TABLE uploads (
            id TEXT PRIMARY KEY,
            account TEXT NOT NULL,
            digest BYTEA NOT NULL,
            byte_count BIGINT NOT NULL,
            pin TEXT NOT NULL,
            received BIGINT NOT NULL,
            touched_ms BIGINT NOT NULL
        );
        CREATE INDEX uploads_by_account ON uploads (account);
        CREATE INDEX uploads_by_age ON uploads (touched_ms);
        CREATE TABLE upload_parts (
            upload TEXT NOT NULL,
            start BIGINT NOT NULL,
            data BYTEA NOT NULL,
            PRIMARY KEY (upload, start)
        );
        """)

    // What the entry of a place says about pictures of it, and when networks were last asked for these; 0 for never.
    private static let pictureTags = Migration(
        "0014 tags of pictures",
        """
        ALTER TABLE known_places ADD COLUMN picture_tags TEXT NOT NULL DEFAULT '';
        ALTER TABLE known_places ADD COLUMN named_ms BIGINT NOT NULL DEFAULT 0;
        """)

    // Where cameras looked, in whole degrees. The index still has all that a search for near photos reads.
    static let views = Migration(
        "0019 views of cameras",
        """
        ALTER TABLE photos ADD COLUMN heading BIGINT;
        ALTER TABLE photos ADD COLUMN view_angle BIGINT;
        DROP INDEX photos_by_cell;
        CREATE INDEX photos_by_cell ON photos (cell, latitude_e7, longitude_e7, id, heading, view_angle);
        """)

    // Which photos networks are asked about again.
    private static let seen = Migration(
        "0020 photos by when they were seen",
        "CREATE INDEX photos_by_seen ON photos (network, seen_ms) WHERE seen_ms > 0;")

    // How much of a picture has come that is being fetched, for those who watch.
    private static let fetched = Migration(
        "0021 fetched bytes",
        """
        ALTER TABLE photos ADD COLUMN fetched_count BIGINT NOT NULL DEFAULT 0;
        ALTER TABLE photos ADD COLUMN fetched_of BIGINT NOT NULL DEFAULT 0;
        """)

    // What is deleted with an account.
    private static let owned = Migration(
        "0046 photos and removals by account",
        """
        CREATE INDEX photos_by_owner ON photos (owner, id) WHERE owner <> '';
        CREATE INDEX removals_by_account ON removals (account);
        """)

    // What photos are signed with that their accounts have added to albums of others.
    private static let guests = Migration(
        "0049 photos by guests", "ALTER TABLE photos ADD COLUMN added_by TEXT NOT NULL DEFAULT '';")

    // Each look at a photo asks whether it was removed somewhere.
    private static let byPhoto = Migration(
        "0029 removals by photo",
        """
        CREATE INDEX removals_by_photo ON removals (photo_id, account);
        CREATE INDEX album_shown_by_photo ON album_shown (photo_id);
        """)

    // One in each line.
    static let tags = Migration(
        "0022 tags of photos", "ALTER TABLE photos ADD COLUMN tags TEXT NOT NULL DEFAULT '';")

    // A picture as WebP too, where that is smaller. And files that an earlier version could not use are read again.
    fileprivate static let kinds = Migration(
        "0016 kinds of pictures",
        """
        ALTER TABLE pictures ADD COLUMN webp BYTEA;
        ALTER TABLE pictures ADD COLUMN webp_byte_count BIGINT NOT NULL DEFAULT 0;
        CREATE INDEX pictures_by_webp ON pictures (webp) WHERE webp IS NOT NULL;
        DROP INDEX pictures_by_age;
        CREATE INDEX pictures_by_age ON pictures (size, made_ms, photo_id, byte_count, webp_byte_count);
        DELETE FROM unusable_files;
        """)
}
