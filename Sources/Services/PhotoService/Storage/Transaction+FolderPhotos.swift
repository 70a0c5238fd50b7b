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
    func sorted(_ files: [FoundFile]) throws(SQLError) -> SortedFiles {
        var sorted = SortedFiles()
        for file in files {
            if let problem = file.problem {
                sorted.unusable.append((file.path, problem.description))
                if try unusableReason(of: file) != problem.description { sorted.newlyUnusable.append(file) }
            } else if try isPhoto(file) {
                continue
            } else if let reason = try unusableReason(of: file) {
                sorted.unusable.append((file.path, reason))
            } else {
                sorted.changed.append(file)
            }
        }
        return sorted
    }

    /// Which way of reading files this program has; a photo that was read in an earlier one is read again.
    private static var reading: Int64 { 1 }

    /// Whether the file is a photo, and unchanged since it was read.
    private func isPhoto(_ file: FoundFile) throws(SQLError) -> Bool {
        try first(
            """
            SELECT 1 FROM photos
            WHERE id = 'folder/' || ?1 AND modified_ns = ?2 AND byte_count = ?3 AND reading = ?4
            """, file.path, file.modifiedNs, file.size, Self.reading
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

    /// Stores what was read from a file. One with a problem that may be temporary is recorded as one that has changed
    /// since, so that the next scan reads it again.
    func takeScannedFile(_ scanned: ScannedFile, at time: Int64) throws(SQLError) {
        switch scanned.photo {
        case .success(let photo):
            try dropUnusable(scanned.file.path)
            try takePhoto(photo, of: scanned, at: time)
        case .failure(.gone): break
        case .failure(let problem) where problem.isFinal:
            try putUnusable(scanned.file, reason: problem.description)
        case .failure(let problem):
            var changed = scanned.file
            changed.modifiedNs = -1
            try putUnusable(changed, reason: problem.description)
        }
    }

    /// Stores the record of a file. If an album or a star shows its picture, it is made again. The large one is removed
    /// at once: otherwise it would be taken for that of the new file.
    private func takePhoto(_ photo: Photo, of scanned: ScannedFile, at time: Int64) throws(SQLError) {
        let isReread = try isReread(scanned)
        try putPhoto(photo)
        if isReread {
            try execute("UPDATE photos SET reading = ?2 WHERE id = ?1", photo.id.text, Self.reading)
            return try recountAlbums(with: photo.id)
        }
        let state = try first(
            """
            UPDATE photos SET byte_count = ?2, modified_ns = ?3, orientation = ?4, reading = ?5,
                state = CASE WHEN state = 4 THEN 1 ELSE state END, failure = ''
            WHERE id = ?1 RETURNING state
            """, photo.id.text, scanned.file.size, scanned.file.modifiedNs, scanned.orientation, Self.reading
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

extension Transaction {
    /// Why a file could not be used when it was read; nil when it could, or has changed since.
    func unusableReason(of file: FoundFile) throws(SQLError) -> String? {
        try first(
            "SELECT reason FROM unusable_files WHERE path = ?1 AND modified_ns = ?2 AND byte_count = ?3", file.path,
            file.modifiedNs, file.size
        ) { row throws(SQLError) in try row.text(0) }
    }

    /// Records why a file can't be used in its current state.
    func putUnusable(_ file: FoundFile, reason: String) throws(SQLError) {
        try execute(
            """
            INSERT INTO unusable_files (path, modified_ns, byte_count, reason) VALUES (?1, ?2, ?3, ?4)
            ON CONFLICT (path) DO UPDATE SET modified_ns = excluded.modified_ns, byte_count = excluded.byte_count,
                reason = excluded.reason
            """, file.path, file.modifiedNs, file.size, reason)
    }

    func dropUnusable(_ path: String) throws(SQLError) {
        try execute("DELETE FROM unusable_files WHERE path = ?1", path)
    }

    /// What is left out and why, by the paths.
    func unusableFiles(after path: String, limit: Int) throws(SQLError) -> [ScanProgress.Skipped] {
        try rows("SELECT path, reason FROM unusable_files WHERE path > ?1 ORDER BY path LIMIT ?2", path, limit) {
            row throws(SQLError) in ScanProgress.Skipped(path: try row.text(0), reason: try row.text(1))
        }
    }

    func unusableCount() throws(SQLError) -> Int64 {
        try first("SELECT count(*) FROM unusable_files") { row throws(SQLError) in try row.integer(0) } ?? 0
    }

    /// The paths of files that could not be used, in order.
    func unusablePaths(after path: String, limit: Int) throws(SQLError) -> [String] {
        try rows("SELECT path FROM unusable_files WHERE path > ?1 ORDER BY path LIMIT ?2", path, limit) {
            row throws(SQLError) in try row.text(0)
        }
    }
}
