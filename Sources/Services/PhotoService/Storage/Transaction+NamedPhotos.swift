import LiveNetworks
import Storage
import Stores

// The photos that the entries of places name.

extension Transaction {
    /// When networks were last asked for the photos that the entry of a place names, 0 for never; nil unless one of
    /// some networks knows them and was not asked for a day.
    func lastNamed(of album: Album, at networks: Set<String>, at time: Int64) throws(SQLError) -> Int64? {
        guard case .place(let id) = album.subject, try !pictureNames(of: id).networks.isDisjoint(with: networks) else {
            return nil
        }
        let asked = try first("SELECT named_ms FROM known_places WHERE place = ?1", id) { row throws(SQLError) in
            try row.integer(0)
        }
        // A clock that was set back must not make it longer than a day.
        guard let asked, asked == 0 || !(0..<NamedJob.expiry).contains(time - asked) else { return nil }
        return asked
    }

    /// Requests the photos that the entry of a place names, if it is time for that.
    func findNamed(of album: Album, at networks: Set<String>, at time: Int64) throws(SQLError) {
        guard case .place(let id) = album.subject, let asked = try lastNamed(of: album, at: networks, at: time) else {
            return
        }
        try insertAlbum(of: KnownPlace(id: id, position: album.centre), isOpened: true)
        // One that was searched before stays as it is meanwhile.
        if let stored = try self.album(album.subject), asked == 0 || stored.counters.photos == 0 {
            _ = try takeEvent(.searchRequested, stored)
        }
        try enqueue(NamedJob.name, album.subject.text, at: time)
    }

    /// Puts the photos that the entry of a place names at the beginning of its album. Those that it does not name any
    /// more go, unless a network gave no answer.
    func listNamed(_ found: NamedFinding, of place: KnownPlace, at time: Int64) throws(SQLError) {
        let subject = AlbumSubject.place(place.id)
        guard let album = try album(subject) else { return }
        let photos = Array(found.photos.prefix(Album.firstSize))
        for photo in photos {
            try putFoundPhoto(photo, seen: time)
            try ownPhoto(photo.id, ofPlace: place.id)
        }
        if found.failures.isEmpty {
            try execute("UPDATE known_places SET named_ms = ?2 WHERE place = ?1", place.id, time)
            try dropNamed(from: subject, but: Set(photos.map(\.id)))
        }
        try addPhotos(photos.map(\.id), to: album, as: .named)
        guard try takeEvent(.searched(isAwaited: false), album) else { return }
        try execute(
            "UPDATE albums SET warning = ?2 WHERE subject = ?1", subject.text,
            found.warnings.joined(separator: "; "))
        if album.isOpened { try wantPictures(of: subject, at: time) }
        try recountList(subject)
    }

    private func dropNamed(from subject: AlbumSubject, but named: Set<PhotoID>) throws(SQLError) {
        let known = try rows(
            "SELECT photo_id FROM album_photos WHERE subject = ?1 AND ordinal < ?2", subject.text,
            PhotoReason.facing.firstOrdinal
        ) { row throws(SQLError) in try row.photoID(0) }
        for photo in known where !named.contains(photo) {
            try execute(
                "DELETE FROM album_photos WHERE subject = ?1 AND photo_id = ?2", subject.text, photo.text)
        }
    }
}
