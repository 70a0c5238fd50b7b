import Storage
import Stores

// Uploads that are not finished: their bytes are rows, so that any replica continues them, also after a crash.

extension Transaction {
    /// An upload that an account has begun; nil when there is none.
    func upload(_ id: String, of account: String) throws(SQLError) -> PhotoUpload? {
        try first(
            "SELECT digest, byte_count, pin, received FROM uploads WHERE id = ?1 AND account = ?2", id, account
        ) { row throws(SQLError) in
            guard
                let upload = PhotoUpload(
                    account: account, name: try row.blobName(0), byteCount: try row.integer(1), pin: try row.text(2),
                    received: try row.integer(3))
            else { throw SQLError(.corrupt, "a stored upload has no valid id") }
            return upload
        }
    }

    /// Begins an upload, or gives the one that has begun, with the pin that is named now.
    /// - Parameter quota: the most bytes that the account may upload; 0 for any.
    func beginUpload(
        _ upload: PhotoUpload, quota: Int64, at time: Int64
    ) throws(SQLError) -> Result<PhotoUpload, PhotoError> {
        if let known = try self.upload(upload.id.text, of: upload.account), known.byteCount == upload.byteCount {
            try execute("UPDATE uploads SET pin = ?2, touched_ms = ?3 WHERE id = ?1", upload.id.text, upload.pin, time)
            return .success(known)
        }
        try dropUpload(upload.id.text)
        let others =
            try first(
                "SELECT CAST(coalesce(sum(byte_count), 0) AS BIGINT) FROM uploads WHERE account = ?1", upload.account
            ) { row throws(SQLError) in try row.integer(0) } ?? 0
        guard others + upload.byteCount <= UploadLimit.unfinishedBytes else {
            return .failure(.tooManyUploads(bytes: others))
        }
        let stored = try uploadedBytes(of: upload.account)
        guard quota == 0 || stored + others + upload.byteCount <= quota else {
            return .failure(.overQuota(bytes: stored + others, quota: quota))
        }
        try execute(
            """
            INSERT INTO uploads (id, account, digest, byte_count, pin, received, touched_ms)
            VALUES (?1, ?2, ?3, ?4, ?5, 0, ?6)
            """, upload.id.text, upload.account, upload.name, upload.byteCount, upload.pin, time)
        return .success(upload)
    }

    /// Bytes of all files that an account has uploaded.
    func uploadedBytes(of account: String) throws(SQLError) -> Int64 {
        try first(
            """
            SELECT CAST(coalesce(sum(byte_count), 0) AS BIGINT) FROM photos WHERE owner = ?1 AND owner <> ''
            """, account
        ) { row throws(SQLError) in try row.integer(0) } ?? 0
    }

    /// Stores a part that begins where the last one ended, as far as it belongs to the file. Gives how many bytes are
    /// stored.
    func addBytes(_ data: [UInt8], at offset: Int64, to upload: PhotoUpload, at time: Int64) throws(SQLError) -> Int64 {
        let received = upload.received + Int64(data.count)
        guard offset == upload.received, received <= upload.byteCount else { return upload.received }
        try execute(
            "INSERT INTO upload_parts (upload, start, data) VALUES (?1, ?2, ?3)", upload.id.text, offset, data)
        try execute("UPDATE uploads SET received = ?2, touched_ms = ?3 WHERE id = ?1", upload.id.text, received, time)
        return received
    }

    /// All bytes that are stored of an upload.
    func bytes(of upload: PhotoUpload) throws(SQLError) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Int(clamping: upload.received))
        try forEach("SELECT data FROM upload_parts WHERE upload = ?1 ORDER BY start", upload.id.text) {
            row throws(SQLError) in bytes += try row.blob(0)
        }
        return bytes
    }

    func dropUpload(_ id: String) throws(SQLError) {
        try execute("DELETE FROM upload_parts WHERE upload = ?1", id)
        try execute("DELETE FROM uploads WHERE id = ?1", id)
    }

    /// Deletes uploads that nothing was added to since a time, at most `limit` of them; returns how many.
    func dropUploads(before time: Int64, limit: Int) throws(SQLError) -> Int {
        let old = try rows(
            "SELECT id FROM uploads WHERE touched_ms < ?1 ORDER BY touched_ms LIMIT ?2", time, limit
        ) { row throws(SQLError) in try row.text(0) }
        for id in old { try dropUpload(id) }
        return old.count
    }
}

extension Transaction {
    /// Stores the photo that an upload has become, adds it to the album of the pin, and requests its thumbnail.
    func finishUpload(
        _ upload: PhotoUpload, _ photo: Photo, orientation: Int, _ original: StoredPicture, at time: Int64
    ) throws(SQLError) {
        try putPhoto(photo)
        try execute(
            "UPDATE photos SET owner = ?2, orientation = ?3, byte_count = ?4, state = 1 WHERE id = ?1", photo.id.text,
            upload.account, orientation, original.jpeg.count)
        try execute(
            """
            INSERT INTO pictures (photo_id, size, blob, byte_count, width, height) VALUES (?1, 3, ?2, ?3, ?4, ?5)
            ON CONFLICT (photo_id, size) DO NOTHING
            """, photo.id.text, original.jpeg.name, original.jpeg.count, original.width, original.height)
        try enqueue("copy", photo.id.text, at: time)
        try addToAlbum(of: upload.pin, photo.id, of: upload.account)
        try dropUpload(upload.id.text)
    }

    /// Adds an uploaded photo to the album of a pin, if that is still there.
    func addToAlbum(of pin: String, _ id: PhotoID, of account: String) throws(SQLError) {
        guard !pin.isEmpty, let album = try album(.pin(pin)), album.account == account else { return }
        try execute(
            "DELETE FROM removals WHERE subject = ?1 AND account = ?2 AND photo_id = ?3", album.subject.text, account,
            id.text)
        try addPhotos([id], to: album)
        try recountList(album.subject)
    }

    /// Adds an uploaded photo to the album of another account, which has not removed it from there.
    func addFromGuest(_ photo: Photo, to album: Album, as name: String) throws(SQLError) {
        try execute("UPDATE photos SET added_by = ?2 WHERE id = ?1", photo.id.text, name)
        try addPhotos([photo.id], to: album)
        try recountList(album.subject)
    }

    /// Photos that an account has uploaded, by their ids, from behind one on.
    func uploads(of account: String, after: String, limit: Int) throws(SQLError) -> [Photo] {
        let ids = try rows(
            "SELECT id FROM photos WHERE owner = ?1 AND owner <> '' AND id > ?2 ORDER BY id LIMIT ?3", account, after,
            limit
        ) { row throws(SQLError) in try row.photoID(0) }
        var photos: [Photo] = []
        for id in ids { if let photo = try photo(id, for: account) { photos.append(photo) } }
        return photos
    }

    /// Deletes a photo that an account has uploaded; false when it has none of that name.
    func deletePhoto(_ id: PhotoID, of account: String) throws(SQLError) -> Bool {
        guard
            try first(
                "SELECT 1 FROM photos WHERE id = ?1 AND owner = ?2", id.text, account,
                read: { row throws(SQLError) in try row.integer(0) }) != nil, !account.isEmpty
        else { return false }
        let subjects = try albums(with: id.text)
        for table in Self.photoTables { try execute(table, id.text) }
        try dropPhoto(id.text)
        for subject in subjects { try recountList(subject) }
        return true
    }

    private static var photoTables: [StaticString] {
        [
            "DELETE FROM album_photos WHERE photo_id = ?1", "DELETE FROM album_shown WHERE photo_id = ?1",
            "DELETE FROM removals WHERE photo_id = ?1", "DELETE FROM favourites WHERE photo_id = ?1",
        ]
    }
}
