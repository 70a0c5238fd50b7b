import EventLoops
import Daemon
import Geo
import Storage
import Stores

extension Transaction {
    /// Changes whether a photo is a favourite; gives whether it is one now. Nil when there is no such photo.
    func changeFavourite(
        _ wish: FavouriteWish, _ id: PhotoID, of account: String, placeName: String, at time: Int64
    ) throws(SQLError) -> Bool? {
        guard let photo = try photo(id, for: account) else { return nil }
        let isWanted =
            switch wish {
            case .add: true
            case .remove: false
            case .toggle: !photo.isFavourite
            }
        guard isWanted != photo.isFavourite else { return isWanted }
        let version = try nextVersion()
        if isWanted {
            try execute(
                """
                INSERT INTO favourites (account, photo_id, network, place_name, added_ms, ordinal)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6)
                """, account, id.text, id.network, placeName, time, version)
            try wantPicture(of: id, at: time)
        } else {
            try execute("DELETE FROM favourites WHERE account = ?1 AND photo_id = ?2", account, id.text)
        }
        // The account's watchers get its albums again. Nothing changes for others, who would see who likes what; of a
        // place's album, which they share, each watch compares what its account likes.
        for subject in try albums(with: id.text, of: account) { try recountList(subject) }
        return isWanted
    }

    /// A favourite has a picture, also when no album shows it.
    private func wantPicture(of id: PhotoID, at time: Int64) throws(SQLError) {
        guard let picture = try photo(id)?.picture, picture.state == .unspecified, picture.original != nil
        else { return }
        try execute("UPDATE photos SET state = 1 WHERE id = ?1", id.text)
        try enqueue("copy", id.text, at: time)
    }

    /// Whose favourite a photo was has another one instead.
    func moveFavourites(of old: PhotoID, to new: PhotoID, at time: Int64) throws(SQLError) {
        try execute(
            """
            INSERT INTO favourites (account, photo_id, network, place_name, added_ms, ordinal)
            SELECT account, ?2, network, place_name, added_ms, ordinal FROM favourites WHERE photo_id = ?1
            ON CONFLICT (account, photo_id) DO NOTHING
            """, old.text, new.text)
        try execute("DELETE FROM favourites WHERE photo_id = ?1", old.text)
        if try isWanted(new) { try wantPicture(of: new, at: time) }
    }

    /// Where the favourites of an account are whose pictures did not fail, the newest first: of the newest `limit`.
    func favouritePoints(of account: String, limit: Int) throws(SQLError) -> [IndexedPoint] {
        try rows(
            """
            SELECT number, latitude_e7, longitude_e7 FROM (
                SELECT photo_id, ordinal FROM favourites WHERE account = ?1 ORDER BY ordinal DESC LIMIT ?2
            ) AS newest JOIN photos ON photos.id = newest.photo_id
            WHERE cell >= 0 AND state <> 4 ORDER BY ordinal DESC
            """, account, Int64(limit)
        ) { row throws(SQLError) in IndexedPoint(PointID(photo: try row.integer(0)), at: try row.coordinate(1)) }
    }

    /// A page of an account's favourites, and one more.
    func favourites(_ page: FavouritePage) throws(SQLError) -> [Favourite] {
        let rows = try rows(
            """
            SELECT photo_id, place_name, added_ms, ordinal FROM favourites
            WHERE account = ?1 AND ordinal < ?2 AND (?4 = '' OR replace(?4, ?5 || network || ?5, '') <> ?4)
            ORDER BY ordinal DESC LIMIT ?3
            """, page.account, page.before, Int64(page.size) + 1, PhotoFilter.list(page.networks),
            PhotoFilter.separator
        ) { row throws(SQLError) in
            (id: try row.photoID(0), placeName: try row.text(1), added: try row.integer(2), ordinal: try row.integer(3))
        }
        var favourites: [Favourite] = []
        for row in rows {
            guard let photo = try photo(row.id, for: page.account) else { continue }
            favourites.append(
                Favourite(
                    photo: photo, placeName: row.placeName, addedMilliseconds: row.added, ordinal: row.ordinal))
        }
        return favourites
    }
}

extension PhotoStore {
    /// A page of an account's favourites, from one snapshot of the data.
    func favourites(_ page: FavouritePage, deadline: ContinuousClock.Instant?) async throws -> FavouritesFound {
        let found = try await read(deadline: deadline) { transaction throws(SQLError) in
            try transaction.favourites(page)
        }
        let shown = Array(found.prefix(page.size))
        return FavouritesFound(favourites: shown, next: found.count > page.size ? shown.last?.ordinal : nil)
    }
}
