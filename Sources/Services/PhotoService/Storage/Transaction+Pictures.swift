import Storage

extension Transaction {
    func picture(_ id: PhotoID, _ size: PictureSize) throws(SQLError) -> StoredPicture? {
        try first(
            """
            SELECT width, height, blob, byte_count, webp, webp_byte_count FROM pictures
            WHERE photo_id = ?1 AND size = ?2
            """, id.text, size.rawValue
        ) { row throws(SQLError) in
            StoredPicture(
                jpeg: try row.storedBytes(2), webP: try row.isNull(4) ? nil : try row.storedBytes(4),
                width: Int(try row.integer(0)), height: Int(try row.integer(1)))
        }
    }

    /// Stores the row of a picture; the previous one of that size is no longer needed. The time is only used for large
    /// ones, which change what is said of the photo by themselves.
    func putPicture(
        _ picture: StoredPicture, _ size: PictureSize, of id: PhotoID, at time: Int64 = 0
    ) throws(SQLError) {
        try execute(
            """
            INSERT INTO pictures (photo_id, size, blob, byte_count, width, height, made_ms, webp, webp_byte_count)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
            ON CONFLICT (photo_id, size) DO UPDATE SET blob = excluded.blob, byte_count = excluded.byte_count,
                width = excluded.width, height = excluded.height, made_ms = excluded.made_ms, webp = excluded.webp,
                webp_byte_count = excluded.webp_byte_count
            """, id.text, size.rawValue, picture.jpeg.name, picture.jpeg.count, picture.width, picture.height, time,
            picture.webP?.name, picture.webP?.count ?? 0)
        if size == .large { _ = try nextVersion() }
    }

    /// What the pictures of a photo are made from; nil when it is a record alone.
    func original(_ id: PhotoID) throws(SQLError) -> Original? {
        if id.network == PhotoID.uploadNetwork { return try uploaded(id) }
        let isFetched = Original.networks.contains(id.network)
        guard isFetched || id.network == PhotoID.folderNetwork else { return nil }
        let original = try first(
            "SELECT orientation, modified_ns, original_url FROM photos WHERE id = ?1", id.text
        ) { row throws(SQLError) in
            Original(
                id: id, orientation: Int(try row.integer(0)), modifiedNs: try row.integer(1),
                url: isFetched ? try row.text(2) : "")
        }
        return isFetched && original?.url.isEmpty == true ? nil : original
    }

    private func uploaded(_ id: PhotoID) throws(SQLError) -> Original? {
        try first(
            """
            SELECT blob, pictures.byte_count, orientation
            FROM photos JOIN pictures ON pictures.photo_id = photos.id AND pictures.size = 3 WHERE photos.id = ?1
            """, id.text
        ) { row throws(SQLError) in
            let file = UploadedBytes(digest: try row.blobName(0).bytes, count: Int(try row.integer(1)))
            return Original(id: id, orientation: Int(try row.integer(2)), modifiedNs: 0, upload: file)
        }
    }

    /// Whether an album whose pictures were requested shows the photo, or it is a favourite or an upload.
    func isWanted(_ id: PhotoID) throws(SQLError) -> Bool {
        try first(
            """
            SELECT 1 FROM album_photos JOIN albums ON albums.subject = album_photos.subject
            WHERE album_photos.photo_id = ?1 AND albums.is_opened = TRUE
            UNION ALL SELECT 1 FROM favourites WHERE photo_id = ?1
            UNION ALL SELECT 1 FROM photos WHERE id = ?1 AND owner <> ''
            """, id.text
        ) { row throws(SQLError) in try row.integer(0) } != nil
    }

    /// The thumbnails are stored. A large picture that was made from an older file is removed.
    func setReady(_ id: PhotoID, _ made: MadeSizes) throws(SQLError) {
        for size in PictureSize.thumbnails {
            if let picture = made.pictures[size] { try putPicture(picture, size, of: id) }
        }
        try execute("DELETE FROM pictures WHERE photo_id = ?1 AND size = 2", id.text)
        try execute(
            """
            UPDATE photos SET state = 3, failure = '', placeholder = ?2, version = ?3, fetched_count = 0, fetched_of = 0
            WHERE id = ?1
            """, id.text,
            made.placeholder, try nextVersion())
        try recountAlbums(with: id)
    }

    /// So much of the picture has come, of `total` bytes; 0 when that is not known.
    func setFetched(_ id: PhotoID, received: Int, of total: Int) throws(SQLError) {
        let isWaiting = try change(
            "UPDATE photos SET fetched_count = ?2, fetched_of = ?3, version = ?4 WHERE id = ?1 AND state = 1", id.text,
            received, total, try nextVersion())
        if isWaiting > 0 { try recountAlbums(with: id) }
    }

    /// The picture can't be obtained. What was uploaded is kept.
    func setFailed(_ id: PhotoID, reason: String) throws(SQLError) {
        try execute("DELETE FROM pictures WHERE photo_id = ?1 AND size <> 3", id.text)
        try execute(
            """
            UPDATE photos SET state = 4, failure = ?2, version = ?3, fetched_count = 0, fetched_of = 0 WHERE id = ?1
            """, id.text, reason, try nextVersion())
        try recountAlbums(with: id)
    }

    /// The picture is not needed any more.
    func setUnwanted(_ id: PhotoID) throws(SQLError) {
        try execute(
            "UPDATE photos SET state = 0, version = ?2, fetched_count = 0 WHERE id = ?1 AND state = 1", id.text,
            try nextVersion())
    }

    func recountAlbums(with id: PhotoID) throws(SQLError) {
        for subject in try albums(with: id.text) { try recount(subject) }
    }

    /// Those of some bytes that are needed.
    func needed(_ names: [BlobName]) throws(SQLError) -> Set<BlobName> {
        var needed: Set<BlobName> = []
        for name in names where try isNeeded(name) { needed.insert(name) }
        return needed
    }
}

extension Row {
    /// From a column with a name, and the next with how many bytes there are.
    func storedBytes(_ column: Int) throws(SQLError) -> StoredBytes {
        StoredBytes(name: try blobName(column), count: Int(try integer(column + 1)))
    }

    func blobName(_ column: Int) throws(SQLError) -> BlobName {
        guard let name = BlobName(bytes: try blob(column)) else {
            throw SQLError(.corrupt, "a stored picture has a name that is none")
        }
        return name
    }
}

extension Transaction {
    /// Evicts the large pictures that were made longest ago, when all together have more than `limit` bytes: a tenth
    /// more than is needed, and never the one of `id`. Returns the names of bytes that are no longer referenced.
    func evictLarge(limit: Int64, but id: PhotoID) throws(SQLError) -> [BlobName] {
        var used = try largeBytes()
        guard used > limit else { return [] }
        var evicted: [BlobName] = []
        for picture in try oldestLarge(but: id) {
            guard used > limit / 10 * 9 else { break }
            try execute("DELETE FROM pictures WHERE photo_id = ?1 AND size = 2", picture.id)
            used -= picture.byteCount
            for name in picture.names where try !isNeeded(name) { evicted.append(name) }
        }
        return evicted
    }

    private struct Large {
        let id: String
        let byteCount: Int64
        let names: [BlobName]
    }

    private func largeBytes() throws(SQLError) -> Int64 {
        try first(
            "SELECT CAST(coalesce(sum(byte_count + webp_byte_count), 0) AS BIGINT) FROM pictures WHERE size = 2"
        ) { row throws(SQLError) in try row.integer(0) } ?? 0
    }

    /// As many as are evicted at once; the next picture evicts more.
    private func oldestLarge(but id: PhotoID) throws(SQLError) -> [Large] {
        try rows(
            """
            SELECT photo_id, byte_count + webp_byte_count, blob, webp FROM pictures WHERE size = 2 AND photo_id <> ?1
            ORDER BY made_ms, photo_id LIMIT 1000
            """, id.text
        ) { row throws(SQLError) in
            Large(
                id: try row.text(0), byteCount: try row.integer(1),
                names: [try row.blobName(2)] + (try row.isNull(3) ? [] : [try row.blobName(3)]))
        }
    }

    private func isNeeded(_ name: BlobName) throws(SQLError) -> Bool {
        try first(
            "SELECT 1 FROM pictures WHERE blob = ?1 UNION ALL SELECT 1 FROM pictures WHERE webp = ?1 LIMIT 1", name
        ) { row throws(SQLError) in try row.integer(0) } != nil
    }
}
