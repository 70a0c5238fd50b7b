import Bytes
import Geo
import Storage
import Stores

// Rows of places with a star.

extension Transaction {
    /// Writes a place; one that has a star keeps its time and its position in the order. Returns it as it is stored.
    func putStar(_ place: StarredPlace, of account: String) throws(SQLError) -> StarredPlace {
        let time = try first(
            """
            INSERT INTO stars
                (account, place, name, categories, latitude_e7, longitude_e7, whereabouts, starred_ms, ordinal)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
            ON CONFLICT (account, place) DO UPDATE SET name = excluded.name, categories = excluded.categories,
                latitude_e7 = excluded.latitude_e7, longitude_e7 = excluded.longitude_e7,
                whereabouts = excluded.whereabouts
            RETURNING starred_ms
            """,
            account, place.id, place.name, LinkedPlace.joined(place.categories), Int64(place.position.latitudeE7),
            Int64(place.position.longitudeE7), place.whereabouts, place.starredMilliseconds,
            try nextVersion(of: account)
        ) { row throws(SQLError) in try row.integer(0) }
        var stored = place
        stored.starredMilliseconds = time ?? place.starredMilliseconds
        return stored
    }

    func hasStar(_ id: String, of account: String) throws(SQLError) -> Bool {
        try first("SELECT 1 FROM stars WHERE account = ?1 AND place = ?2", account, id) { row throws(SQLError) in
            try row.integer(0)
        } != nil
    }

    func starCount(of account: String) throws(SQLError) -> Int64 {
        try first("SELECT count(*) FROM stars WHERE account = ?1", account) { row throws(SQLError) in
            try row.integer(0)
        } ?? 0
    }

    /// Returns whether there was one.
    func removeStar(_ id: String, of account: String) throws(SQLError) -> Bool {
        try first(
            "DELETE FROM stars WHERE account = ?1 AND place = ?2 RETURNING starred_ms", account, id
        ) { row throws(SQLError) in try row.integer(0) } != nil
    }

    /// A page of an account's places with a star.
    func stars(_ listing: StarListing, of account: String) throws(SQLError) -> StarsListed {
        let found = try rows(
            """
            SELECT place, name, categories, latitude_e7, longitude_e7, whereabouts, starred_ms, ordinal FROM stars
            WHERE account = ?1 AND ordinal < ?2 ORDER BY ordinal DESC LIMIT ?3
            """, account, listing.before, listing.limit + 1
        ) { row throws(SQLError) in
            let categories = try row.text(2).split(at: LinkedPlace.separator).map { String($0) }
            let place = StarredPlace(
                id: try row.text(0), name: try row.text(1), categories: categories, position: try row.coordinate(3),
                whereabouts: try row.text(5), starredMilliseconds: try row.integer(6))
            return (place: place, ordinal: try row.integer(7))
        }
        let shown = found.prefix(listing.limit)
        return StarsListed(
            places: shown.map(\.place), end: found.count > listing.limit ? shown.last?.ordinal : nil)
    }
}
