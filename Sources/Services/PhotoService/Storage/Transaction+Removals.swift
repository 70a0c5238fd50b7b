import Storage

extension Transaction {
    /// The photos that an account has removed from an album.
    func removed(from subject: AlbumSubject, by account: String) throws(SQLError) -> Set<PhotoID> {
        Set(
            try rows(
                "SELECT photo_id FROM removals WHERE subject = ?1 AND account = ?2", subject.text, account
            ) { row throws(SQLError) in try row.photoID(0) })
    }

    /// Hides photos from an account. One that is not in the album is refused.
    func removePhotos(
        _ photos: [PhotoID], from album: Album, for account: String
    ) throws(SQLError) -> Result<Void, PhotoError> {
        for photo in photos {
            guard try removePhoto(photo, from: album.subject, for: account) else {
                return .failure(.notInAlbum(photo, album.subject))
            }
        }
        try recountList(album.subject)
        return .success(())
    }

    private func removePhoto(
        _ photo: PhotoID, from subject: AlbumSubject, for account: String
    ) throws(SQLError) -> Bool {
        let isNew = try change(
            """
            INSERT INTO removals (subject, account, photo_id, ordinal)
            SELECT subject, ?3, photo_id, ordinal FROM album_photos WHERE subject = ?1 AND photo_id = ?2
            ON CONFLICT (subject, account, photo_id) DO NOTHING
            """, subject.text, photo.text, account)
        if isNew > 0 { return true }
        return try isRemoved(photo, from: subject, for: account)
    }

    private func isRemoved(
        _ photo: PhotoID, from subject: AlbumSubject, for account: String
    ) throws(SQLError) -> Bool {
        try first(
            "SELECT 1 FROM removals WHERE subject = ?1 AND account = ?2 AND photo_id = ?3", subject.text, account,
            photo.text
        ) { row throws(SQLError) in try row.integer(0) } != nil
    }

    /// Shows removed photos again, each in its old position; all of them when none is named. One that was not removed
    /// is refused, unless the album shows it.
    func restorePhotos(
        _ photos: [PhotoID], to album: Album, for account: String, at time: Int64
    ) throws(SQLError) -> Result<Void, PhotoError> {
        let shown = try photoIDs(of: album.subject)
        let removed = try self.removed(from: album.subject, by: account)
        let known = removed.union(shown)
        for photo in photos where !known.contains(photo) { return .failure(.notInAlbum(photo, album.subject)) }
        for photo in photos.isEmpty ? Array(removed) : photos { try restorePhoto(photo, to: album, for: account) }
        if album.isOpened { try wantPictures(of: album.subject, at: time) }
        try recountList(album.subject)
        return .success(())
    }

    /// A collection since then may have left the photo out: a pin's album gets it back. A place's album is shared, so
    /// one account does not decide what it contains.
    private func restorePhoto(_ photo: PhotoID, to album: Album, for account: String) throws(SQLError) {
        if case .pin = album.subject {
            try execute(
                """
                INSERT INTO album_photos (subject, photo_id, ordinal)
                SELECT subject, photo_id, ordinal FROM removals WHERE subject = ?1 AND account = ?2 AND photo_id = ?3
                ON CONFLICT (subject, photo_id) DO NOTHING
                """, album.subject.text, account, photo.text)
        }
        try execute(
            "DELETE FROM removals WHERE subject = ?1 AND account = ?2 AND photo_id = ?3", album.subject.text, account,
            photo.text)
    }
}
