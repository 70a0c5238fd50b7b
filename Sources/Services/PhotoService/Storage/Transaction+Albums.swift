import Bytes
import Geo
import Storage

extension Transaction {
    func album(_ subject: AlbumSubject) throws(SQLError) -> Album? {
        try first("SELECT * FROM albums WHERE subject = ?1", subject.text) { row throws(SQLError) in try Album(row) }
    }

    /// The albums that changed after `version`, in the order of their changes.
    func albums(after version: Int64, limit: Int) throws(SQLError) -> [Album] {
        try rows("SELECT * FROM albums WHERE version > ?1 ORDER BY version LIMIT ?2", version, limit) {
            row throws(SQLError) in try Album(row)
        }
    }

    /// Makes an album without photos, unless there is one.
    func insertAlbum(
        _ subject: AlbumSubject, account: String, centre: Coordinate, radiusMetres: Double, isSearching: Bool,
        isOpened: Bool
    ) throws(SQLError) {
        let version = try nextVersion()
        try execute(
            """
            INSERT INTO albums (subject, account, generation, searched_generation, latitude_e7, longitude_e7, radius_m,
                is_searching, is_opened, collection, wanted_size, wants_removed, collector, collected_ms, next_ordinal,
                photo_count, ready_count, failed_count, repeated_count, warning, version, list_version)
            VALUES (?1, ?2, 0, 0, ?3, ?4, ?5, ?6, ?7, 1, 0, FALSE, '', 0, 0, 0, 0, 0, 0, '', ?8, ?8)
            ON CONFLICT (subject) DO NOTHING
            """, subject.text, account, Int64(centre.latitudeE7), Int64(centre.longitudeE7), radiusMetres, isSearching,
            isOpened, version)
    }

    /// Stores what follows for an album from an event; false where it is refused.
    func takeEvent(_ event: AlbumEvent, _ album: Album) throws(SQLError) -> Bool {
        guard let phase = album.phase.after(event, album.counters) else { return false }
        try execute(
            """
            UPDATE albums SET is_searching = ?2, is_opened = ?3, collection = ?4,
                wanted_size = CASE WHEN ?5 THEN wanted_size ELSE 0 END, version = ?6
            WHERE subject = ?1
            """, album.subject.text, phase.isSearching, phase.isOpened, phase.collection, phase.isCollecting,
            try nextVersion())
        return true
    }

    /// Counts an album's photos again and gives it a new version.
    func recount(_ subject: AlbumSubject) throws(SQLError) {
        try execute(
            """
            UPDATE albums SET version = ?2, (photo_count, ready_count, failed_count) = (
                SELECT count(*), count(CASE WHEN photos.state = 3 THEN 1 END),
                    count(CASE WHEN photos.state = 4 THEN 1 END)
                FROM album_photos JOIN photos ON photos.id = album_photos.photo_id
                WHERE album_photos.subject = albums.subject AND NOT EXISTS (SELECT 1 FROM removals
                    WHERE removals.subject = album_photos.subject AND removals.account = albums.account
                        AND removals.photo_id = album_photos.photo_id))
            WHERE subject = ?1
            """, subject.text, try nextVersion())
    }

    /// Counts an album again after a change of which photos are shown.
    func recountList(_ subject: AlbumSubject) throws(SQLError) {
        try recount(subject)
        try execute("UPDATE albums SET list_version = version WHERE subject = ?1", subject.text)
    }
}

extension Transaction {
    /// Adds photos to an album, behind those that are in it for the same reason. One that is in it already stays where
    /// it is, unless this reason is a better one.
    func addPhotos(_ photos: [PhotoID], to album: Album, as reason: PhotoReason = .near) throws(SQLError) {
        var next = album.nextOrdinal
        for photo in photos {
            try execute(
                """
                INSERT INTO album_photos (subject, photo_id, ordinal) VALUES (?1, ?2, ?3)
                ON CONFLICT (subject, photo_id) DO UPDATE SET ordinal = excluded.ordinal
                WHERE album_photos.ordinal >= ?4
                """, album.subject.text, photo.text, reason.firstOrdinal + next, reason.endOrdinal)
            next += 1
        }
        try execute("UPDATE albums SET next_ordinal = ?2 WHERE subject = ?1", album.subject.text, next)
    }

    /// All photos in an album, including those that were removed.
    func photoIDs(of subject: AlbumSubject) throws(SQLError) -> Set<PhotoID> {
        Set(
            try rows("SELECT photo_id FROM album_photos WHERE subject = ?1", subject.text) { row throws(SQLError) in
                try row.photoID(0)
            })
    }

    /// Requests the pictures of an album that were not requested yet. The album is counted afterwards, so that its
    /// version covers theirs.
    func wantPictures(of subject: AlbumSubject, at time: Int64) throws(SQLError) {
        let photos = try rows(
            """
            SELECT photos.id FROM album_photos JOIN photos ON photos.id = album_photos.photo_id
            WHERE album_photos.subject = ?1 AND photos.state = 0
            """, subject.text
        ) { row throws(SQLError) in try row.text(0) }
        for photo in photos {
            try execute("UPDATE photos SET state = 1, version = ?2 WHERE id = ?1", photo, try nextVersion())
            try enqueue("copy", photo, at: time)
        }
    }
}

extension Transaction {
    /// The albums that contain a photo.
    func albums(with photo: String) throws(SQLError) -> [AlbumSubject] {
        try rows("SELECT subject FROM album_photos WHERE photo_id = ?1", photo) { row throws(SQLError) in
            try row.subject(0)
        }
    }

    /// Those of an account alone, which are of its pins.
    func albums(with photo: String, of account: String) throws(SQLError) -> [AlbumSubject] {
        try rows(
            """
            SELECT subject FROM album_photos
            WHERE photo_id = ?1 AND (SELECT account FROM albums WHERE subject = album_photos.subject) = ?2
            """, photo, account
        ) { row throws(SQLError) in try row.subject(0) }
    }
}

extension Transaction {
    /// Whether opening an album would change nothing.
    func isAlbumOpen(_ album: Album, at networks: Set<String>, at time: Int64) throws(SQLError) -> Bool {
        guard album.isOpened || album.version == 0 else { return false }
        return try lastNamed(of: album, at: networks, at: time) == nil
    }

    /// Requests the pictures of a place's album; a pin's are requested from the start. Also those that its entry names,
    /// which some networks may know.
    func openAlbum(_ album: Album, at networks: Set<String>, at time: Int64) throws(SQLError) {
        try findNamed(of: album, at: networks, at: time)
        guard let album = try self.album(album.subject), !album.isOpened, try takeEvent(.opened, album) else { return }
        try wantPictures(of: album.subject, at: time)
        try recount(album.subject)
    }
}
