import Geo
import Storage
import Stores

// Photos that networks change or take back.

extension Transaction {
    /// Photos of a network that an album shows, and that no answer has listed since a time; the longest unseen first.
    func shownPhotos(of network: String, notSeenSince time: Int64, limit: Int) throws(SQLError) -> [Photo] {
        let ids = try rows(
            """
            SELECT id FROM photos
            WHERE network = ?1 AND seen_ms > 0 AND seen_ms < ?2
                AND EXISTS (SELECT 1 FROM album_photos WHERE photo_id = photos.id)
            ORDER BY seen_ms LIMIT ?3
            """, network, time, limit
        ) { row throws(SQLError) in try row.photoID(0) }
        var photos: [Photo] = []
        for id in ids {
            if let photo = try photo(id) { photos.append(photo) }
        }
        return photos
    }

    /// Records what a network says about photos that it was asked about. Where they were taken stays as it was known
    /// first.
    func recordChecked(_ checked: CheckedPhotos, of asked: [Photo], seen time: Int64) throws(SQLError) {
        for photo in asked {
            if checked.withdrawn.contains(photo.id) {
                try withdraw(photo.id)
                continue
            }
            try execute("UPDATE photos SET seen_ms = ?2 WHERE id = ?1", photo.id.text, time)
            guard let next = checked.known[photo.id]?.at(photo.position), next != photo.asRecord else { continue }
            try putPhoto(next)
            try recountAlbums(with: photo.id)
        }
    }

    /// Takes a photo from all albums, and its pictures with it. A favourite keeps them, for the one whose it is.
    func withdraw(_ id: PhotoID) throws(SQLError) {
        let albums = try albums(with: id.text)
        try execute("DELETE FROM album_photos WHERE photo_id = ?1", id.text)
        try execute("DELETE FROM removals WHERE photo_id = ?1", id.text)
        try execute(
            """
            DELETE FROM pictures WHERE photo_id = ?1
                AND NOT EXISTS (SELECT 1 FROM favourites WHERE favourites.photo_id = ?1)
            """, id.text)
        try setGone(id)
        try execute("UPDATE photos SET seen_ms = 0 WHERE id = ?1", id.text)
        for album in albums { try recountList(album) }
    }
}

extension Photo {
    /// What a network says of it, without what is known of its picture.
    fileprivate var asRecord: Photo {
        var record = self
        record.picture = PictureStatus()
        return record
    }

    fileprivate func at(_ position: Coordinate) -> Photo {
        Photo(
            id: id, title: title, position: position, credit: credit, originalURL: originalURL, width: width,
            height: height, takenMilliseconds: takenMilliseconds, takenOffsetMinutes: takenOffsetMinutes, view: view,
            tags: tags)
    }
}
