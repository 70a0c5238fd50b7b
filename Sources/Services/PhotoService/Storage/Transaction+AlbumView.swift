import Storage

extension Transaction {
    /// An album as an account sees it; nil when there is none for it. A place that a pin of the account has found
    /// always has one. For others there is none: the places that have one would tell where the pins of others are.
    func album(_ subject: AlbumSubject, for account: String) throws(SQLError) -> Album? {
        if case .place(let id) = subject, try !hasPin(at: id, account) { return nil }
        guard var album = try storedOrEmpty(subject) else { return nil }
        switch subject {
        case .pin: guard album.account == account else { return nil }
        case .place: album.counters = try counters(subject, for: account) ?? album.counters
        }
        album.removedCount = try removedCount(subject, for: account)
        return album
    }

    /// Whether a pin of an account has found a place.
    private func hasPin(at place: String, _ account: String) throws(SQLError) -> Bool {
        try first(
            """
            SELECT 1 FROM search_places JOIN albums ON albums.subject = 'pin/' || search_places.pin
            WHERE search_places.place = ?1 AND albums.account = ?2 LIMIT 1
            """, place, account
        ) { row throws(SQLError) in try row.integer(0) } != nil
    }

    private func storedOrEmpty(_ subject: AlbumSubject) throws(SQLError) -> Album? {
        if let album = try album(subject) { return album }
        guard case .place(let id) = subject, let place = try knownPlace(id) else { return nil }
        return .empty(of: place)
    }

    /// An album as the pin service learns of it. Of a place's, accounts beyond `maximumAccounts` are sent what all see.
    func summary(of album: Album, maximumAccounts: Int) throws(SQLError) -> PhotoStore.Summaries.Entry {
        guard !album.subject.isPin else { return PhotoStore.Summaries.Entry(album: album) }
        var entry = PhotoStore.Summaries.Entry(album: album)
        entry.album.counters = try counters(album.subject, for: "") ?? AlbumCounters()
        let ofAll = entry.album.counters.photos
        let accounts = try rows(
            """
            SELECT own_photos.account, count(*)
            FROM album_photos JOIN photos ON photos.id = album_photos.photo_id
                JOIN own_photos ON own_photos.number = photos.number
            WHERE album_photos.subject = ?1 AND photos.grid_cell <> -1 AND photos.owner = ''
            GROUP BY own_photos.account
            """, album.subject.text
        ) { row throws(SQLError) in (account: try row.text(0), photos: ofAll + (try row.integer(1))) }
        entry.accounts = Array(accounts.prefix(maximumAccounts))
        return entry
    }

    /// Without the photos that this account has removed, and those that networks have given for others alone.
    private func counters(_ subject: AlbumSubject, for account: String) throws(SQLError) -> AlbumCounters? {
        try first(
            """
            SELECT count(*), count(CASE WHEN photos.state = 3 THEN 1 END), count(CASE WHEN photos.state = 4 THEN 1 END)
            FROM album_photos JOIN photos ON photos.id = album_photos.photo_id
            WHERE album_photos.subject = ?1 AND NOT EXISTS (SELECT 1 FROM removals
                    WHERE removals.subject = ?1 AND removals.account = ?2 AND removals.photo_id = album_photos.photo_id)
                AND (photos.grid_cell = -1 OR photos.owner <> '' OR EXISTS (SELECT 1 FROM own_photos
                    WHERE own_photos.account = ?2 AND own_photos.number = photos.number))
            """, subject.text, account
        ) { row throws(SQLError) in try row.counters(0) }
    }

    /// Photos that can be restored: for a place, those that its album still holds.
    private func removedCount(_ subject: AlbumSubject, for account: String) throws(SQLError) -> Int64 {
        try first(
            """
            SELECT count(*) FROM removals
            WHERE subject = ?1 AND account = ?2 AND (?3 OR EXISTS (SELECT 1 FROM album_photos
                WHERE album_photos.subject = ?1 AND album_photos.photo_id = removals.photo_id))
            """, subject.text, account, subject.isPin
        ) { row throws(SQLError) in try row.integer(0) } ?? 0
    }

    /// A page of what an account sees in an album, in order, after the ordinal `after`.
    func shownPhotos(_ page: AlbumPage) throws(SQLError) -> [AlbumPage.Entry] {
        try entries(
            try rows(
                """
                SELECT photo_id, ordinal FROM album_photos
                WHERE subject = ?1 AND ordinal > ?3 AND NOT EXISTS (SELECT 1 FROM removals
                        WHERE removals.subject = ?1 AND removals.account = ?2
                            AND removals.photo_id = album_photos.photo_id)
                    AND (?5 OR EXISTS (SELECT 1 FROM photos WHERE photos.id = album_photos.photo_id
                        AND (photos.grid_cell = -1 OR photos.owner <> '' OR EXISTS (SELECT 1 FROM own_photos
                            WHERE own_photos.account = ?2 AND own_photos.number = photos.number))))
                ORDER BY ordinal LIMIT ?4
                """, page.subject.text, page.account, page.after, page.size + 1, page.subject.isPin
            ) { row throws(SQLError) in (try row.photoID(0), try row.integer(1)) }, for: page.account)
    }

    /// What stands for an album, of what an account sees in it, the best first: favourites, then photos of people's
    /// own, then the others, and last of all those whose picture failed.
    func bestPhotos(_ page: AlbumPage) throws(SQLError) -> [AlbumPage.Entry] {
        try entries(
            try rows(
                """
                SELECT photo_id, ordinal FROM album_photos JOIN photos ON photos.id = album_photos.photo_id
                WHERE subject = ?1 AND NOT EXISTS (SELECT 1 FROM removals
                        WHERE removals.subject = ?1 AND removals.account = ?2
                            AND removals.photo_id = album_photos.photo_id)
                    AND (?4 OR photos.grid_cell = -1 OR photos.owner <> '' OR EXISTS (SELECT 1 FROM own_photos
                        WHERE own_photos.account = ?2 AND own_photos.number = photos.number))
                ORDER BY CASE WHEN photos.state = 4 THEN 1 ELSE 0 END, CASE
                    WHEN EXISTS (SELECT 1 FROM favourites
                        WHERE favourites.account = ?2 AND favourites.photo_id = album_photos.photo_id) THEN 0
                    WHEN photos.owner <> '' OR photos.id LIKE 'folder/%' THEN 1 ELSE 2 END, ordinal
                LIMIT ?3
                """, page.subject.text, page.account, page.size, page.subject.isPin
            ) { row throws(SQLError) in (try row.photoID(0), try row.integer(1)) }, for: page.account)
    }

    /// A page of what an account has removed from an album.
    func removedPhotos(_ page: AlbumPage) throws(SQLError) -> [AlbumPage.Entry] {
        try entries(
            try rows(
                """
                SELECT photo_id, ordinal FROM removals
                WHERE subject = ?1 AND account = ?2 AND ordinal > ?3 AND (?5 OR EXISTS (SELECT 1 FROM album_photos
                    WHERE album_photos.subject = ?1 AND album_photos.photo_id = removals.photo_id))
                ORDER BY ordinal LIMIT ?4
                """, page.subject.text, page.account, page.after, page.size + 1, page.subject.isPin
            ) { row throws(SQLError) in (try row.photoID(0), try row.integer(1)) }, for: page.account)
    }

    /// The photos that an account sees in an album and that changed after `version`, in order.
    func changedPhotos(_ page: AlbumPage, after version: Int64) throws(SQLError) -> [AlbumPage.Entry] {
        try entries(
            try rows(
                """
                SELECT photo_id, ordinal FROM album_photos JOIN photos ON photos.id = album_photos.photo_id
                WHERE subject = ?1 AND photos.version > ?3 AND NOT EXISTS (SELECT 1 FROM removals
                    WHERE removals.subject = ?1 AND removals.account = ?2
                        AND removals.photo_id = album_photos.photo_id)
                ORDER BY ordinal LIMIT ?4
                """, page.subject.text, page.account, version, page.size
            ) { row throws(SQLError) in (try row.photoID(0), try row.integer(1)) }, for: page.account)
    }

    /// The photos of a place's album that have become favourites of the watcher's account, or are none any more.
    func restarred(_ page: AlbumPage, _ watch: AlbumWatch) throws(SQLError) -> [AlbumPage.Entry] {
        guard let known = watch.favourites else { return [] }
        let rows = try rows(
            """
            SELECT photo_id, ordinal, EXISTS (SELECT 1 FROM favourites
                WHERE favourites.account = ?2 AND favourites.photo_id = album_photos.photo_id)
            FROM album_photos
            WHERE subject = ?1 AND NOT EXISTS (SELECT 1 FROM removals
                WHERE removals.subject = ?1 AND removals.account = ?2
                    AND removals.photo_id = album_photos.photo_id)
            ORDER BY ordinal
            """, page.subject.text, page.account
        ) { row throws(SQLError) in (try row.photoID(0), try row.integer(1), try row.bool(2)) }
        let others = rows.filter { known.contains($0.0) != $0.2 }
        return try entries(others.map { ($0.0, $0.1) }, for: page.account)
    }

    private func entries(_ rows: [(PhotoID, Int64)], for account: String) throws(SQLError) -> [AlbumPage.Entry] {
        var entries: [AlbumPage.Entry] = []
        for (id, ordinal) in rows {
            guard let photo = try photo(id, for: account) else { continue }
            entries.append(AlbumPage.Entry(photo: photo, ordinal: ordinal))
        }
        return entries
    }
}
