import Storage
import Stores

extension Photo {
    /// Reads the columns id, title, latitude_e7, longitude_e7, author, licence, source_url, original_url, width,
    /// height, taken_ms, state, byte_count, failure, placeholder, modified_ns, orientation, the name of the thumbnail,
    /// whether there is a large picture.
    init(_ row: borrowing Row) throws(SQLError) {
        let (id, thumbnail) = (try row.photoID(0), try row.optionalBlob(17) ?? [])
        self.init(
            id: id, title: try row.text(1), position: try row.coordinate(2),
            credit: Credit(author: try row.text(4), licence: try row.text(5), sourceURL: try row.text(6)),
            originalURL: try row.text(7), width: try row.pixels(8), height: try row.pixels(9),
            takenMilliseconds: try row.optionalInteger(10),
            picture: PictureStatus(
                state: try row.pictureState(11), byteCount: try row.integer(12), failure: try row.text(13),
                placeholder: try row.text(14), thumbnail: Array(thumbnail.prefix(PictureStatus.sourceLength)),
                hasLarge: try row.bool(18), original: try row.original(15, of: id)))
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

    func pictureState(_ column: Int) throws(SQLError) -> PictureState {
        let stored = try integer(column)
        guard let state = PictureState(rawValue: stored) else {
            throw SQLError(.corrupt, "a stored photo has the state \(stored), which is none")
        }
        return state
    }

    /// From a column with the time of a file's last change, which is 0 when it is gone, and the next with its
    /// orientation.
    fileprivate func original(_ column: Int, of id: PhotoID) throws(SQLError) -> Original? {
        let modified = try integer(column)
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
