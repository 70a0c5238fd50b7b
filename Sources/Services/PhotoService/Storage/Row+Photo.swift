import Bytes
import Geo
import Stores
import Storage

extension Photo {
    /// Reads the columns id, title, latitude_e7, longitude_e7, author, licence, source_url, original_url, width,
    /// height, taken_ms, state, byte_count, failure, placeholder, modified_ns, orientation, the name of the thumbnail,
    /// whether there is a large picture, whether it is a favourite, heading, view_angle,
    /// fetched_count, fetched_of, tags, added_by, owner, taken_offset_min, camera, lens, copies.
    init(_ row: borrowing Row) throws(SQLError) {
        let (id, thumbnail) = (try row.photoID(0), try row.optionalBlob(17) ?? [])
        self.init(
            id: id, title: try row.text(1), position: try row.coordinate(2),
            credit: Credit(author: try row.text(4), licence: try row.text(5), sourceURL: try row.text(6)),
            originalURL: try row.text(7), width: try row.pixels(8), height: try row.pixels(9),
            takenMilliseconds: try row.optionalInteger(10),
            takenOffsetMinutes: try row.optionalInteger(27).map { Int(clamping: $0) }, view: try row.view(20),
            tags: try row.text(24).split(at: "\n").map(String.init), camera: try row.text(28), lens: try row.text(29),
            copyPaths: try row.text(30).split(at: "\n").map(String.init),
            picture: PictureStatus(
                state: try row.pictureState(11), byteCount: try row.integer(12), failure: try row.text(13),
                placeholder: try row.text(14), thumbnail: Array(thumbnail.prefix(PictureStatus.sourceLength)),
                hasLarge: try row.bool(18), original: try row.original(15, of: id, url: try row.text(7)),
                fetched: FetchedBytes(count: try row.integer(22), total: try row.integer(23))),
            isFavourite: try row.bool(19), addedBy: try row.text(25), owner: try row.text(26))
    }
}

extension Row {
    func photoID(_ column: Int) throws(SQLError) -> PhotoID {
        let stored = try text(column)
        guard let id = PhotoID(stored) else {
            throw SQLError(.corrupt, "a stored photo has the id \(stored), which is none")
        }
        return id
    }

    /// From two columns, which are NULL when it is not known.
    func view(_ column: Int) throws(SQLError) -> CameraView? {
        guard let heading = try optionalInteger(column), let angle = try optionalInteger(column + 1) else { return nil }
        return CameraView(heading: Double(heading), angle: Double(angle))
    }

    func pictureState(_ column: Int) throws(SQLError) -> PictureState {
        let stored = try integer(column)
        guard let state = PictureState(rawValue: stored) else {
            throw SQLError(.corrupt, "a stored photo has the state \(stored), which is none")
        }
        return state
    }

    /// From a column with the time of a file's last change, which is 0 when it was deleted, and the next with its
    /// orientation.
    fileprivate func original(_ column: Int, of id: PhotoID, url: String) throws(SQLError) -> Original? {
        if Original.networks.contains(id.network), !url.isEmpty {
            return Original(id: id, orientation: 1, modifiedNs: 0, url: url)
        }
        let modified = try integer(column)
        if id.network == PhotoID.uploadNetwork {
            return Original(id: id, orientation: Int(try integer(column + 1)), modifiedNs: 0)
        }
        guard id.network == PhotoID.folderNetwork, modified != 0 else { return nil }
        return Original(id: id, orientation: Int(try integer(column + 1)), modifiedNs: modified)
    }

    func pixels(_ column: Int) throws(SQLError) -> UInt32 {
        let stored = try integer(column)
        guard let pixels = UInt32(exactly: stored) else {
            throw SQLError(.corrupt, "a stored photo has a side of \(stored) pixels")
        }
        return pixels
    }
}

extension Album {
    /// Reads all columns of the table, in their order.
    init(_ row: borrowing Row) throws(SQLError) {
        self.init(
            subject: try row.subject(0), account: try row.text(1), generation: try row.integer(2),
            searchedGeneration: try row.integer(3), centre: try row.coordinate(4), radiusMetres: try row.double(6),
            isSearching: try row.bool(7), isOpened: try row.bool(8), collection: try row.integer(9),
            wish: try row.wish(10), collectedMilliseconds: try row.integer(13), nextOrdinal: try row.integer(14),
            counters: try row.counters(15), repeatedCount: try row.integer(18), warning: try row.text(19),
            version: try row.integer(20), listVersion: try row.integer(21), namedGeneration: try row.integer(22),
            completeGeneration: try row.integer(23), missingCount: try row.integer(24),
            networks: EnabledNetworks(text: try row.text(25)))
    }
}

extension Row {
    func subject(_ column: Int) throws(SQLError) -> AlbumSubject {
        let stored = try text(column)
        guard let subject = AlbumSubject(stored) else {
            throw SQLError(.corrupt, "a stored album has the subject \(stored), which is none")
        }
        return subject
    }

    /// Photos, those that are ready, those that failed.
    func counters(_ column: Int) throws(SQLError) -> AlbumCounters {
        AlbumCounters(photos: try integer(column), ready: try integer(column + 1), failed: try integer(column + 2))
    }

    /// The size, whether removed photos are wanted, who asked.
    fileprivate func wish(_ column: Int) throws(SQLError) -> CollectionWish? {
        let size = try integer(column)
        guard size > 0 else { return nil }
        return CollectionWish(
            size: Int(size), includesRemoved: try bool(column + 1), account: try text(column + 2))
    }
}
