import LiveNetworks
import Storage
import Stores

/// The tables of the service. Photos are shared, but for those with an owner.
enum PhotoSchema {
    static let migrations =
        StorePart.migrations
        + LedgerSchema.migrations + [
            photos, photoRemovals, ownPhotos, pictures, failures, folder, scans, albums, places, favourites, uploads,
            networkKeys, enabledNetworks, largerFiles, copies,
        ]

    // The index by cells holds all that a search for near photos reads, and all that is read at a start, so that only
    // photos that are returned are read. A photo of the folder remembers its file as it was when it was read, so that a
    // scan reads only what changed; `reading` is the way of reading files that its record is from. `seen_ms` is when a
    // network's answer last listed a photo, `grid_cell` the cell of the ledger's grid that it is in (-1 for none), and
    // `area` names the ledger's cells that list it, where that is not its network: one account's, or one place's. A
    // photo with an `owner` is seen by that account alone, and its file is its picture of size 3; `added_by` is what it
    // is signed with if its account has added it to an album of another one. `heading` and `view_angle` are where the
    // camera looked, in whole degrees; `taken_offset_min` is how far the clocks were ahead of UTC there.
    // `fetched_count` and `fetched_of` say how much of a picture has come that is being fetched. `tags` has one in each
    // line.
    private static let photos = Migration(
        "0.2.0 photos",
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
            taken_ms BIGINT,
            version BIGINT NOT NULL DEFAULT 0,
            state BIGINT NOT NULL DEFAULT 0,
            byte_count BIGINT NOT NULL DEFAULT 0,
            failure TEXT NOT NULL DEFAULT '',
            placeholder TEXT NOT NULL DEFAULT '',
            modified_ns BIGINT NOT NULL DEFAULT 0,
            orientation BIGINT NOT NULL DEFAULT 1,
            seen_ms BIGINT NOT NULL DEFAULT 0,
            grid_cell BIGINT NOT NULL DEFAULT -1,
            owner TEXT NOT NULL DEFAULT '',
            heading BIGINT,
            view_angle BIGINT,
            fetched_count BIGINT NOT NULL DEFAULT 0,
            fetched_of BIGINT NOT NULL DEFAULT 0,
            area TEXT NOT NULL DEFAULT '',
            tags TEXT NOT NULL DEFAULT '',
            added_by TEXT NOT NULL DEFAULT '',
            number BIGINT NOT NULL DEFAULT 0,
            taken_offset_min BIGINT,
            reading BIGINT NOT NULL DEFAULT 0
        );
        CREATE INDEX photos_by_network ON photos (network, id);
        CREATE INDEX photos_by_grid_cell ON photos (network, grid_cell) WHERE grid_cell <> -1;
        CREATE INDEX photos_by_seen ON photos (network, seen_ms) WHERE seen_ms > 0;
        CREATE INDEX photos_by_owner ON photos (owner, id) WHERE owner <> '';
        CREATE UNIQUE INDEX photos_by_number ON photos (number);
        CREATE INDEX photos_by_version ON photos (version);
        CREATE INDEX photos_by_cell ON photos (
            cell, latitude_e7, longitude_e7, id, heading, view_angle, number, owner, grid_cell);
        """)

    // `made_ms` is for evicting large pictures, the oldest first; the index holds everything that is read for that.
    // `webp` is a picture as WebP too, where that is smaller.
    private static let pictures = Migration(
        "0.2.0 pictures",
        """
        CREATE TABLE pictures (
            photo_id TEXT NOT NULL,
            size BIGINT NOT NULL,
            blob BYTEA NOT NULL,
            byte_count BIGINT NOT NULL,
            width BIGINT NOT NULL,
            height BIGINT NOT NULL,
            made_ms BIGINT NOT NULL DEFAULT 0,
            webp BYTEA,
            webp_byte_count BIGINT NOT NULL DEFAULT 0,
            PRIMARY KEY (photo_id, size)
        );
        CREATE INDEX pictures_by_blob ON pictures (blob);
        CREATE INDEX pictures_by_webp ON pictures (webp) WHERE webp IS NOT NULL;
        CREATE INDEX pictures_by_age ON pictures (size, made_ms, photo_id, byte_count, webp_byte_count);
        """)

    // A file that can't be used is remembered as it was when it was read, so that a scan does not read it again. A
    // version that can use more files has to empty the table.
    private static let folder = Migration(
        "0.2.0 unusable files",
        """
        CREATE TABLE unusable_files (
            path TEXT PRIMARY KEY,
            modified_ns BIGINT NOT NULL,
            byte_count BIGINT NOT NULL,
            reason TEXT NOT NULL
        );
        """)

    private static let largerFiles = Migration("0.3.0 larger files of the folder", "DELETE FROM unusable_files;")

    // `digest` is that of a file of the folder of which others have the size, `notes_digest` that of the file of XMP
    // beside it, `copies` the paths of those that have its
    // bytes, one in each line; they are unusable files that are a `copy_of` its path.
    private static let copies = Migration(
        "0.3.0 cameras, and copies in the folder",
        """
        ALTER TABLE photos ADD COLUMN camera TEXT NOT NULL DEFAULT '';
        ALTER TABLE photos ADD COLUMN lens TEXT NOT NULL DEFAULT '';
        ALTER TABLE photos ADD COLUMN copies TEXT NOT NULL DEFAULT '';
        ALTER TABLE photos ADD COLUMN digest BYTEA;
        ALTER TABLE photos ADD COLUMN notes_digest BYTEA;
        ALTER TABLE unusable_files ADD COLUMN copy_of TEXT NOT NULL DEFAULT '';
        CREATE INDEX photos_by_digest ON photos (digest) WHERE digest IS NOT NULL;
        CREATE INDEX unusable_files_by_copied ON unusable_files (copy_of);
        """)

    // A photo that is a favourite keeps its record and its picture, whatever becomes of albums, files and networks.
    private static let favourites = Migration(
        "0.2.0 favourites",
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

    private static let uploads = Migration(
        "0.2.0 uploads",
        """
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
}
