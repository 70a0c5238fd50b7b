import Geo
import Storage
import Stores

// Rows of tracks.

extension Transaction {
    /// How many tracks an account has, and of how many bytes.
    func trackSize(of account: String) throws(SQLError) -> (count: Int64, bytes: Int64) {
        try first(
            "SELECT count(*), CAST(coalesce(sum(byte_count), 0) AS BIGINT) FROM tracks WHERE account = ?1", account
        ) { row throws(SQLError) in (try row.integer(0), try row.integer(1)) } ?? (0, 0)
    }

    /// Stores tracks of a file, except those that are there already, and those for which the account has no room.
    func insert(_ tracks: [TrackDraft], of it: PinImport, at time: Int64) throws(SQLError) {
        var size = try trackSize(of: it.account)
        var lists: [String: ListID?] = [:]
        for (draft, id) in zip(tracks, PinID.ascending(tracks.count, unixMilliseconds: time)) {
            guard size.count < Track.limit, size.bytes + Int64(draft.shape.count) <= Track.limitBytes else { return }
            var list: ListID?
            if let wanted = draft.list {
                if let known = lists[wanted.name] {
                    list = known
                } else {
                    list = try importedList(wanted, of: it, at: time)
                    lists.updateValue(list, forKey: wanted.name)
                }
            }
            let added = try first(
                """
                INSERT INTO tracks (id, account, name, list, colour, south_e7, west_e7, north_e7, east_e7, point_count,
                    length_m, byte_count, shape, digest, created_ms, imported_by)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)
                ON CONFLICT (account, digest) DO NOTHING RETURNING byte_count
                """, id, it.account, draft.name, list, draft.colour?.rawValue ?? 0, Int64(draft.box.southE7),
                Int64(draft.box.westE7), Int64(draft.box.northE7), Int64(draft.box.eastE7), draft.pointCount,
                draft.lengthMetres, Int64(draft.shape.count), draft.shape, draft.digest, it.createdMilliseconds, it.id
            ) { row throws(SQLError) in try row.integer(0) }
            if let added { size = (size.count + 1, size.bytes + added) }
        }
    }

    /// The tracks of an account without their shapes, those that came last first, after one.
    func tracks(of account: String, before id: PinID? = nil) throws(SQLError) -> [Track] {
        try rows(
            """
            SELECT id, account, name, list, colour, south_e7, west_e7, north_e7, east_e7, point_count, length_m,
                created_ms
            FROM tracks WHERE account = ?1 AND id < ?2 ORDER BY id DESC
            """, account, id ?? PinID(high: .max, low: .max)
        ) { row throws(SQLError) in try Track(row) }
    }

    /// The shape of one; nil when it is gone.
    func shape(of track: PinID) throws(SQLError) -> [[Geo.Coordinate]]? {
        guard let bytes = try packedShape(of: track) else { return nil }
        guard let parts = PackedTrack.parts(bytes) else { throw SQLError(.corrupt, "the shape of a track is damaged") }
        return parts
    }

    /// As `PackedTrack` has it.
    func packedShape(of track: PinID) throws(SQLError) -> [UInt8]? {
        try first("SELECT shape FROM tracks WHERE id = ?1", track) { row throws(SQLError) in try row.blob(0) }
    }

    /// Whether there was one.
    func deleteTrack(_ id: PinID, of account: String) throws(SQLError) -> Bool {
        try first("DELETE FROM tracks WHERE id = ?1 AND account = ?2 RETURNING id", id, account) {
            row throws(SQLError) in try row.pinID(0)
        } != nil
    }

    func deleteTracks(ofImport id: String, _ account: String) throws(SQLError) {
        try execute("DELETE FROM tracks WHERE imported_by = ?1 AND account = ?2", id, account)
    }

    /// Tracks of a list that goes are in none.
    func forgetList(ofTracks list: ListID) throws(SQLError) {
        try execute("UPDATE tracks SET list = NULL WHERE list = ?1", list)
    }
}

extension Track {
    fileprivate init(_ row: borrowing Row) throws(SQLError) {
        let list = try row.optionalBlob(3).flatMap { PinID(bytes: $0) }
        func degrees(_ column: Int) throws(SQLError) -> Double { Double(try row.integer(column)) / 1e7 }
        guard
            let box = try? Box(
                south: try degrees(5), west: try degrees(6), north: try degrees(7), east: try degrees(8))
        else { throw SQLError(.corrupt, "the box of a track is none") }
        self.init(
            id: try row.pinID(0), account: try row.text(1), name: try row.text(2), list: list,
            colour: PinList.Colour(rawValue: try row.integer(4)), box: box, pointCount: try row.integer(9),
            lengthMetres: try row.double(10), createdMilliseconds: try row.integer(11))
    }
}
