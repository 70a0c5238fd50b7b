import PhotoContracts
import Geo
import NearRows
import Requests
import Storage
import Stores
import Wire

extension PhotoSchema {
    // A photo has a number as long as it has its row: the version that it was stored with. Those who keep positions in
    // memory read what has changed by version, and of deleted photos the numbers.
    static let photoRemovals = Migration(
        "0.2.0 removals of photos",
        """
        CREATE TABLE photo_removals (number BIGINT PRIMARY KEY, owner TEXT NOT NULL, version BIGINT NOT NULL);
        CREATE INDEX photo_removals_by_version ON photo_removals (version);
        CREATE INDEX photo_removals_by_owner ON photo_removals (owner) WHERE owner <> '';
        """)
}

/// Photos as rows that are searched from memory: those without an owner for all, others for their owners, and what
/// networks have found for each account whose pins were given it. Every change
/// of what a photo's message has, and of the albums and stars that decide to whom it tells of the picture, gives the
/// store another version.
struct NearPhotos: NearTable {
    /// `Photo.distance_m`.
    let distance = DistanceField(15)

    let content = "photos"
    let isOrderedByPointID = false
    let links: PictureLinks

    init(_ links: PictureLinks) { self.links = links }

    /// URLs change every day, and with the networks that pictures can be fetched from.
    var edition: String { links.edition }

    func subject(of account: String) -> String { wholeStore }

    /// The account's own first: what is counted first stands for several.
    func owners(seenBy account: String) -> [String] { account.isEmpty ? [""] : [account, ""] }

    func load(_ transaction: borrowing Transaction) throws(SQLError) -> [LoadedPoints] {
        var points: [String: [IndexedPoint]] = [:]
        var shared: [IndexedPoint] = []
        try transaction.scan(
            """
            SELECT number, latitude_e7, longitude_e7, owner FROM photos
            WHERE cell >= 0 AND (grid_cell = -1 OR owner <> '') ORDER BY cell
            """
        ) { row throws(SQLError) in
            let point = IndexedPoint(PointID(photo: try row.integer(0)), at: try row.coordinate(1))
            let owner = try row.text(3)
            if owner.isEmpty { shared.append(point) } else { points[owner, default: []].append(point) }
        }
        points[""] = shared
        try transaction.scan(
            """
            SELECT own_photos.number, latitude_e7, longitude_e7, account
            FROM own_photos JOIN photos ON photos.number = own_photos.number
            WHERE cell >= 0 AND grid_cell <> -1 AND owner = ''
            """
        ) { row throws(SQLError) in
            let point = IndexedPoint(PointID(photo: try row.integer(0)), at: try row.coordinate(1))
            points[try row.text(3), default: []].append(point)
        }
        return [LoadedPoints(of: wholeStore, version: try transaction.lastVersion(), points)]
    }

    func changes(
        of subject: String, above version: Int64, atMost limit: Int64, _ transaction: borrowing Transaction
    ) throws(SQLError) -> PointChanges {
        let remembered = try transaction.lastVersion() - Transaction.rememberedVersions
        let isWhole = version < max(0, remembered)
        var changes = PointChanges(isWhole: isWhole, messages: .all)
        if !isWhole {
            try transaction.forEach(
                "SELECT number, owner FROM photo_removals WHERE version > ?1 LIMIT ?2", version, limit
            ) { row throws(SQLError) in
                changes.put(PointID(photo: try row.integer(0)), of: try row.text(1), at: nil)
            }
            try transaction.forEach(
                """
                SELECT number, account FROM own_photos
                WHERE number IN (SELECT number FROM photo_removals WHERE version > ?1 LIMIT ?2)
                """, version, limit
            ) { row throws(SQLError) in
                changes.put(PointID(photo: try row.integer(0)), of: try row.text(1), at: nil)
            }
        }
        try putOwn(above: isWhole ? -1 : version, atMost: limit, into: &changes, transaction)
        try transaction.forEach(
            """
            SELECT number, latitude_e7, longitude_e7, owner, cell FROM photos
            WHERE version > ?1 AND (grid_cell = -1 OR owner <> '') LIMIT ?2
            """, isWhole ? -1 : version, limit
        ) { row throws(SQLError) in
            let position = try row.integer(4) < 0 ? nil : try row.coordinate(1)
            changes.put(PointID(photo: try row.integer(0)), of: try row.text(3), at: position)
        }
        return changes
    }

    /// Photos that networks have found, as rows of the accounts that they were found for.
    private func putOwn(
        above version: Int64, atMost limit: Int64, into changes: inout PointChanges,
        _ transaction: borrowing Transaction
    ) throws(SQLError) {
        try transaction.forEach(
            """
            SELECT own_photos.number, latitude_e7, longitude_e7, account, cell
            FROM photos JOIN own_photos ON own_photos.number = photos.number
            WHERE photos.version > ?1 AND grid_cell <> -1 AND owner = ''
            UNION SELECT own_photos.number, latitude_e7, longitude_e7, account, cell
            FROM own_photos JOIN photos ON photos.number = own_photos.number
            WHERE own_photos.version > ?1 AND grid_cell <> -1 AND owner = ''
            LIMIT ?2
            """, version, limit
        ) { row throws(SQLError) in
            let position = try row.integer(4) < 0 ? nil : try row.coordinate(1)
            changes.put(PointID(photo: try row.integer(0)), of: try row.text(3), at: position)
        }
    }

    func row(
        _ id: PointID, for account: String, _ transaction: borrowing Transaction
    ) throws(SQLError) -> NearRow? {
        try transaction.photo(numbered: id, for: account).map { row($0) }
    }

    func nearest(
        _ query: NearQuery, for account: String, _ transaction: borrowing Transaction
    ) throws(SQLError) -> NearHits {
        try nearest(query, PhotoFilter(), for: account, transaction)
    }

    /// The search with a filter: only the rows have what it looks at.
    func nearest(
        _ query: NearQuery, _ filter: PhotoFilter, for account: String, _ transaction: borrowing Transaction
    ) throws(SQLError) -> NearHits {
        let chosen = try transaction.nearest(query, filter, for: account)
        var hits: [NearHits.Hit] = []
        for hit in chosen.nearest {
            guard let photo = try transaction.photo(hit.id, for: account) else { continue }
            hits.append(NearHits.Hit(row(photo), metres: hit.metres))
        }
        return NearHits(hits, isTruncated: chosen.isTruncated)
    }

    private func row(_ photo: Photo) -> NearRow {
        NearRow(
            id: photo.id.text, position: photo.position, message: PhotoContracts.Photo(photo, links).packedBytes())
    }
}

extension PointID {
    /// By the number of a photo.
    init(photo number: Int64) { self.init(high: 0, low: UInt64(bitPattern: number)) }
}

extension Transaction {
    /// How many versions back deleted photos are remembered. An index that is further behind is made again.
    fileprivate static var rememberedVersions: Int64 { 1_000_000 }

    /// Records that a photo is about to be deleted.
    func recordRemoval(of id: String) throws(SQLError) {
        try execute(
            """
            INSERT INTO photo_removals (number, owner, version)
            SELECT number, owner, CAST(?2 AS BIGINT) FROM photos WHERE id = ?1
            """, id, try nextVersion())
    }

    /// Records that all photos whose ids are between two are about to be deleted.
    func recordRemovals(between first: String, and last: String) throws(SQLError) {
        try execute(
            """
            INSERT INTO photo_removals (number, owner, version)
            SELECT number, owner, CAST(?3 AS BIGINT) FROM photos WHERE id > ?1 AND id < ?2
            """, first, last, try nextVersion())
    }

    /// Forgets photos that were deleted long ago, at most `limit` of them; returns how many.
    func deleteRemovals(limit: Int) throws(SQLError) -> Int {
        let version = try lastVersion() - Self.rememberedVersions
        try execute(
            """
            DELETE FROM own_photos WHERE number IN (
                SELECT number FROM photo_removals WHERE version <= ?1 ORDER BY version LIMIT ?2)
            """, version, limit)
        return try change(
            """
            DELETE FROM photo_removals WHERE number IN (
                SELECT number FROM photo_removals WHERE version <= ?1 ORDER BY version LIMIT ?2)
            """, version, limit)
    }
}

extension Transaction {
    /// A photo by its number, as an account sees it.
    func photo(numbered id: PointID, for account: String) throws(SQLError) -> Photo? {
        let photo = try first("SELECT id FROM photos WHERE number = ?1", Int64(bitPattern: id.low)) {
            row throws(SQLError) in try row.photoID(0)
        }
        return try photo.flatMap { id throws(SQLError) in try self.photo(id, for: account) }
    }
}
