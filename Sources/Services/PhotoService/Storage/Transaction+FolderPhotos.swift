import Geo
import PictureCalls
import Storage
import Stores

extension Transaction {
    /// The photos around a point that an album of an account may have, nearest first; of none for a place.
    func albumPhotos(
        of account: String, at networks: EnabledNetworks, around centre: Coordinate, radiusMetres: Double, limit: Int
    ) throws(SQLError) -> NearestSelection<PhotoPoint> {
        var selection = NearestSelection<PhotoPoint>(centre: centre, radiusMetres: radiusMetres, limit: limit)
        try forEachPhoto(ofAlbums: true, of: account, around: centre, radiusMetres: radiusMetres) {
            row throws(SQLError) in
            let position = try row.coordinate(0)
            if networks != .all, try !networks.allows(row.photoID(2).network) { return }
            try selection.offer(position) { () throws(SQLError) in
                PhotoPoint(id: try row.photoID(2), position: position, view: try row.view(3))
            }
        }
        return selection
    }
}

extension Transaction {
    /// Sorts the files by what is known of them without reading.
    func sorted(_ files: [FoundFile], of walk: FolderList) throws(SQLError) -> SortedFiles {
        var sorted = SortedFiles()
        for file in files {
            if let problem = file.problem {
                sorted.unusable.append((file.path, problem.description))
                if try unusableReason(of: file) != problem.description { sorted.newlyUnusable.append(file) }
            } else if try isPhoto(file) {
                continue
            } else if let reason = try unusableReason(of: file, in: walk) {
                sorted.unusable.append((file.path, reason))
            } else {
                sorted.changed.append(file)
            }
        }
        return sorted
    }

    /// Which way of reading files this program has; a photo that was read in an earlier one is read again.
    private static var reading: Int64 { 2 }

    /// Whether the file is a photo, and unchanged since it was read. One that may be a copy has a digest.
    private func isPhoto(_ file: FoundFile) throws(SQLError) -> Bool {
        try first(
            """
            SELECT 1 FROM photos
            WHERE id = 'folder/' || ?1 AND modified_ns = ?2 AND byte_count = ?3 AND reading = ?4
                AND (digest IS NOT NULL OR ?5 = FALSE)
            """, file.path, file.modifiedNs, file.size, Self.reading, file.hasTwin
        ) { row throws(SQLError) in try row.integer(0) } != nil
    }

    /// Whether only what is read of the file may be different, and its bytes are those that were read before.
    private func isReread(_ scanned: ScannedFile) throws(SQLError) -> Bool {
        try first(
            """
            SELECT 1 FROM photos
            WHERE id = 'folder/' || ?1 AND modified_ns = ?2 AND byte_count = ?3 AND orientation = ?4 AND state <> 4
            """, scanned.file.path, scanned.file.modifiedNs, scanned.file.size, scanned.orientation
        ) { row throws(SQLError) in try row.integer(0) } != nil
    }

    /// Stores what was read from a file, unless it is a copy, which is given. One with a problem that may be temporary
    /// is recorded as one that has changed since, so that the next scan reads it again.
    func takeScannedFile(
        _ scanned: ScannedFile, of walk: FolderList, at time: Int64
    ) throws(SQLError) -> FolderCopy? {
        switch scanned.photo {
        case .success(let photo):
            if let copy = try copy(scanned, photo.id, of: walk) {
                try take(copy, scanned.file, at: time)
                return copy
            }
            try dropUnusable(scanned.file.path)
            try takePhoto(photo, of: scanned, at: time)
            try supersede(scanned, photo.id, of: walk, at: time)
            try inherit(scanned, photo.id, of: walk, at: time)
        case .failure(.gone): break
        case .failure(let problem) where problem.isFinal:
            try putUnusable(scanned.file, reason: problem.description)
        case .failure(let problem):
            var changed = scanned.file
            changed.modifiedNs = -1
            try putUnusable(changed, reason: problem.description)
        }
        return nil
    }

    /// Stores the record of a file. If an album or a star shows its picture, it is made again. The large one is removed
    /// at once: otherwise it would be taken for that of the new file.
    private func takePhoto(_ photo: Photo, of scanned: ScannedFile, at time: Int64) throws(SQLError) {
        let isReread = try isReread(scanned)
        try putPhoto(photo)
        if isReread {
            try execute(
                "UPDATE photos SET reading = ?2, digest = ?3, notes_digest = ?4 WHERE id = ?1", photo.id.text,
                Self.reading, scanned.digest?.picture, scanned.digest?.notes)
            return try recountAlbums(with: photo.id)
        }
        try forgetCopies(of: scanned.file.path, unless: scanned.digest, at: time)
        let state = try first(
            """
            UPDATE photos SET byte_count = ?2, modified_ns = ?3, orientation = ?4, reading = ?5, digest = ?6,
                notes_digest = ?7, state = CASE WHEN state = 4 THEN 1 ELSE state END, failure = ''
            WHERE id = ?1 RETURNING state
            """, photo.id.text, scanned.file.size, scanned.file.modifiedNs, scanned.orientation, Self.reading,
            scanned.digest?.picture, scanned.digest?.notes
        ) { row throws(SQLError) in try row.pictureState(0) }
        try execute("DELETE FROM pictures WHERE photo_id = ?1 AND size = 2", photo.id.text)
        guard let state, state != .unspecified else { return }
        if try isWanted(photo.id) { try enqueue("copy", photo.id.text, at: time) } else { try forgetPicture(photo.id) }
        try recountAlbums(with: photo.id)
    }

    /// It is made again when it is asked for.
    private func forgetPicture(_ id: PhotoID) throws(SQLError) {
        try execute("DELETE FROM pictures WHERE photo_id = ?1 AND size <> 3", id.text)
        try execute("UPDATE photos SET state = 0, placeholder = '' WHERE id = ?1", id.text)
    }

    /// The folder's photos in the order of their ids, without those whose file is missing.
    func folderPhotos(after id: String, limit: Int) throws(SQLError) -> [PhotoID] {
        try rows(
            """
            SELECT id FROM photos WHERE network = 'folder' AND id > ?1 AND cell <> -1 ORDER BY id LIMIT ?2
            """, id, limit
        ) { row throws(SQLError) in try row.photoID(0) }
    }

    /// Those that a search finds or an album shows, whether their file is there or not.
    func shownFolderPhotos(after id: String, limit: Int) throws(SQLError) -> [PhotoID] {
        try rows(
            """
            SELECT id FROM photos WHERE network = 'folder' AND id > ?1
                AND (cell <> -1 OR EXISTS (SELECT 1 FROM album_photos WHERE photo_id = photos.id))
            ORDER BY id LIMIT ?2
            """, id, limit
        ) { row throws(SQLError) in try row.photoID(0) }
    }

    /// Takes a photo from all albums, which get as many others if there are any.
    func leaveOut(_ id: PhotoID) throws(SQLError) {
        for album in try albums(with: id.text) where album.isPin {
            try execute("UPDATE albums SET missing_count = missing_count + 1 WHERE subject = ?1", album.text)
        }
        try withdraw(id)
    }

    /// The file of a photo was deleted. An album keeps what it shows, but no search finds the photo any more: cell -1
    /// is nowhere on Earth.
    func setGone(_ id: PhotoID) throws(SQLError) {
        try execute(
            "UPDATE photos SET cell = -1, modified_ns = 0, version = ?2 WHERE id = ?1", id.text, try nextVersion())
        if try photo(id)?.picture.state == .waiting { try setFailed(id, reason: PictureProblem.gone.description) }
    }

    /// Deletes photos whose file is missing, that no album contains and that are no favourites, at most `limit` of
    /// them; returns how many.
    func dropGone(limit: Int) throws(SQLError) -> Int {
        let gone = try rows(
            """
            SELECT id FROM photos WHERE cell = -1 AND NOT EXISTS (SELECT 1 FROM album_photos WHERE photo_id = photos.id)
                AND NOT EXISTS (SELECT 1 FROM removals WHERE photo_id = photos.id)
                AND NOT EXISTS (SELECT 1 FROM favourites WHERE photo_id = photos.id)
            LIMIT ?1
            """, limit
        ) { row throws(SQLError) in try row.text(0) }
        for id in gone { try dropPhoto(id) }
        return gone.count
    }

    /// Deletes a photo that nothing shows.
    func dropPhoto(_ id: String) throws(SQLError) {
        try recordRemoval(of: id)
        try execute("DELETE FROM pictures WHERE photo_id = ?1", id)
        try execute("DELETE FROM photos WHERE id = ?1", id)
        try cancelJob("copy", id)
    }

    /// Requests that all pins and their places get what is stored by now.
    func searchAgain(at time: Int64) throws(SQLError) {
        let subjects = try rows("SELECT subject FROM albums WHERE subject > 'pin/' AND subject < 'pin0'") {
            row throws(SQLError) in try row.text(0)
        }
        for subject in subjects { try enqueue(RelistJob.name, subject, at: time) }
    }
}
