import Storage

extension Transaction {
    /// Adds photos at the end of an album; those that are in it already stay where they are.
    func add(_ photos: [PhotoID], to album: Album) throws(SQLError) {
        var ordinal = album.nextOrdinal
        for photo in photos {
            try execute(
                """
                INSERT INTO album_photos (subject, photo_id, ordinal) VALUES (?1, ?2, ?3)
                ON CONFLICT (subject, photo_id) DO NOTHING
                """, album.subject.text, photo.text, ordinal)
            ordinal += 1
        }
        try execute("UPDATE albums SET next_ordinal = ?2 WHERE subject = ?1", album.subject.text, ordinal)
    }

    /// All photos in an album, also those that were removed.
    func photoIDs(of subject: AlbumSubject) throws(SQLError) -> Set<PhotoID> {
        Set(
            try rows("SELECT photo_id FROM album_photos WHERE subject = ?1", subject.text) { row throws(SQLError) in
                try row.photoID(0)
            })
    }

    /// Asks for the pictures of an album that nobody has asked for yet. The album is counted afterwards, so that its
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
    /// The albums that hold a photo.
    func albums(with photo: String) throws(SQLError) -> [AlbumSubject] {
        try rows("SELECT subject FROM album_photos WHERE photo_id = ?1", photo) { row throws(SQLError) in
            try row.subject(0)
        }
    }
}
