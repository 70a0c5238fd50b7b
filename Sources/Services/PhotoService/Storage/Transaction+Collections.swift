import Bytes
import Geo
import Storage

extension Transaction {
    /// The shortest time between two collections of a place, in milliseconds.
    static var placePause: Int64 { 3_600_000 }

    /// Requests other photos. Refused while the album is being filled, and for a place within an hour of the last time.
    func wishCollection(_ wish: CollectionWish, for album: Album, at time: Int64) throws(SQLError) -> Result<
        Void, PhotoError
    > {
        guard album.phase.after(.collectionRequested, album.counters) != nil else {
            return .failure(.notFinal(album.subject, album.state))
        }
        if case .place = album.subject, album.collectedMilliseconds > 0 {
            let passed = time - album.collectedMilliseconds
            // A clock that was set back must not make it longer than an hour.
            if (0..<Self.placePause).contains(passed) {
                return .failure(.tooSoon(milliseconds: Self.placePause - passed))
            }
        }
        if case .place(let id) = album.subject {
            try insertAlbum(of: KnownPlace(id: id, position: album.centre), isOpened: true)
        }
        _ = try takeEvent(.collectionRequested, album)
        // No account makes an album small for the others.
        let size = album.subject.isPin ? wish.size : max(wish.size, Album.firstSize)
        try execute(
            "UPDATE albums SET wanted_size = ?2, wants_removed = ?3, collector = ?4, collected_ms = ?5 WHERE subject = ?1",
            album.subject.text, size, wish.includesRemoved, wish.account, time)
        try enqueue("collect", album.subject.text, at: time)
        return .success(())
    }

    /// The photos that an album may show, nearest first; nil when no others were requested.
    func candidates(for subject: AlbumSubject) throws(SQLError) -> [PhotoID]? {
        guard let album = try album(subject), let wish = album.wish else { return nil }
        let found = try albumPhotos(
            of: album.account, at: try enabledNetworks(of: wish.account).limited(to: album.networks),
            around: album.centre,
            radiusMetres: album.radiusMetres, limit: PinPhotos.limit)
        let photos = found.nearest.map(\.id)
        guard case .place(let id) = subject else { return photos.map(\.id) }
        let rivals = try knownPlaces(around: album.centre, radiusMetres: 2 * PlaceAssignment.reachMetres + 1)
        let assignment = PlaceAssignment(rivals.places)
        let near = photos.filter { assignment.place(of: $0.position, looking: $0.view)?.place.id == id }
        return try shown(near.map(\.id), to: wish.account)
    }

    /// Swaps an album's photos for others, if there are any. Otherwise the collection stays as it is: a place that
    /// never had photos gets those that a later scan finds. What its account has uploaded stays, and what the place's
    /// own entry names.
    func collect(_ candidates: [PhotoID], for subject: AlbumSubject, at time: Int64) throws(SQLError) {
        guard let album = try album(subject), let wish = album.wish else { return }
        try recordShown(album)
        let kept = try keptPhotos(of: subject)
        let others = candidates.filter { !kept.contains($0) }
        let chosen = CollectionChoice.choose(wish.size, from: try allowed(others, wish, subject))
        guard try takeEvent(.collected(hasOthers: !chosen.isEmpty), album) else { return }
        if !chosen.isEmpty { try swapPhotos(chosen, into: album, wish) }
        try execute(
            "UPDATE albums SET missing_count = 0, warning = ?2 WHERE subject = ?1", subject.text,
            chosen.isEmpty ? "no other photos were found" : "")
        try wantPictures(of: subject, at: time)
        try recountList(subject)
    }

    /// Those that a new collection keeps.
    private func keptPhotos(of subject: AlbumSubject) throws(SQLError) -> Set<PhotoID> {
        Set(
            try rows(
                """
                SELECT photo_id FROM album_photos
                WHERE subject = ?1 AND (ordinal < ?2 OR photo_id > 'upload/' AND photo_id < 'upload0')
                """, subject.text, PhotoReason.facing.firstOrdinal
            ) { row throws(SQLError) in try row.photoID(0) })
    }

    private func swapPhotos(
        _ chosen: [CollectionChoice.Candidate], into album: Album, _ wish: CollectionWish
    ) throws(SQLError) {
        let photos = chosen.map(\.id)
        try execute(
            """
            DELETE FROM album_photos
            WHERE subject = ?1 AND ordinal >= ?2 AND NOT (photo_id > 'upload/' AND photo_id < 'upload0')
            """, album.subject.text, PhotoReason.facing.firstOrdinal)
        if wish.includesRemoved { try unremovePhotos(photos, album.subject, wish.account) }
        try addPhotos(photos, to: album)
        try execute(
            "UPDATE albums SET repeated_count = ?2 WHERE subject = ?1", album.subject.text,
            chosen.count { $0.lastShown > 0 })
    }

    private func recordShown(_ album: Album) throws(SQLError) {
        try execute(
            """
            INSERT INTO album_shown (subject, photo_id, collection)
            SELECT subject, photo_id, ?2 FROM album_photos WHERE subject = ?1
            ON CONFLICT (subject, photo_id) DO UPDATE SET collection = excluded.collection
            """, album.subject.text, album.collection)
    }

    private func allowed(
        _ candidates: [PhotoID], _ wish: CollectionWish, _ subject: AlbumSubject
    ) throws(SQLError) -> [CollectionChoice.Candidate] {
        // What one account has removed from a place's album is not taken from the others.
        let isAny = wish.includesRemoved || !subject.isPin
        let removed = isAny ? [] : try self.removed(from: subject, by: wish.account)
        var shown: [PhotoID: Int64] = [:]
        try forEach("SELECT photo_id, collection FROM album_shown WHERE subject = ?1", subject.text) {
            row throws(SQLError) in shown[try row.photoID(0)] = try row.integer(1)
        }
        return candidates.filter { !removed.contains($0) }.map {
            CollectionChoice.Candidate(id: $0, lastShown: shown[$0] ?? 0)
        }
    }

    private func unremovePhotos(_ photos: [PhotoID], _ subject: AlbumSubject, _ account: String) throws(SQLError) {
        for photo in photos {
            try execute(
                "DELETE FROM removals WHERE subject = ?1 AND account = ?2 AND photo_id = ?3", subject.text, account,
                photo.text)
        }
    }
}
