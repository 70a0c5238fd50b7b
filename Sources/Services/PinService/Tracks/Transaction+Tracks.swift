import FeatureFiles
import Geo
import PinFiles
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

    /// What tells an account's tracks apart.
    func trackDigests(of account: String) throws(SQLError) -> Set<[UInt8]> {
        Set(
            try rows("SELECT digest FROM tracks WHERE account = ?1", account) { row throws(SQLError) in try row.blob(0)
            })
    }

    /// Stores tracks of a file, except those that are there already, and those for which the account has no room. Gives
    /// how many; those that others are lengthened to do not count.
    func insert(_ tracks: [TrackDraft], of it: PinImport, at time: Int64) throws(SQLError) -> Int64 {
        var size = try trackSize(of: it.account)
        var newCount: Int64 = 0
        var lists: [String: ListID?] = [:]
        for (draft, id) in zip(tracks, PinID.ascending(tracks.count, unixMilliseconds: time)) {
            guard size.count < Track.limit, size.bytes + Int64(draft.packed.byteCount) <= Track.limitBytes else {
                break
            }
            var list: ListID?
            if let wanted = draft.list {
                if let known = lists[wanted.name] {
                    list = known
                } else {
                    list = try importedList(wanted, of: it, at: time)
                    lists.updateValue(list, forKey: wanted.name)
                }
            }
            let settled = try settle(draft, of: it)
            size = (size.count - settled.removed.count, size.bytes - settled.removed.bytes)
            if settled.isKnown { continue }
            let added = try first(
                """
                INSERT INTO tracks (id, account, name, list, colour, south_e7, west_e7, north_e7, east_e7, point_count,
                    length_m, byte_count, shape, digest, created_ms, imported_by, kind, details, climb_m, start_ms,
                    duration_ms)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21)
                ON CONFLICT (account, digest) DO NOTHING RETURNING byte_count
                """, id, it.account, draft.name, list, draft.colour?.rawValue ?? 0, Int64(draft.box.southE7),
                Int64(draft.box.westE7), Int64(draft.box.northE7), Int64(draft.box.eastE7), draft.pointCount,
                draft.figures.lengthMetres, Int64(draft.packed.byteCount), draft.packed.shape, draft.digest,
                it.createdMilliseconds, settled.importID ?? it.id, draft.kind.rawValue, draft.packed.details,
                draft.figures.climbMetres, draft.figures.time?.startMilliseconds,
                draft.figures.time?.durationMilliseconds
            ) { row throws(SQLError) in try row.integer(0) }
            if let added { size = (size.count + 1, size.bytes + added) }
            if added != nil, settled.importID == nil { newCount += 1 }
        }
        return newCount
    }

    /// The tracks of an account without their shapes, those that came last first, after one.
    func tracks(of account: String, before id: PinID? = nil) throws(SQLError) -> [Track] {
        try rows(
            """
            SELECT id, account, name, list, colour, south_e7, west_e7, north_e7, east_e7, point_count, length_m,
                created_ms, kind, climb_m, start_ms, duration_ms
            FROM tracks WHERE account = ?1 AND id < ?2 ORDER BY id DESC
            """, account, id ?? PinID(high: .max, low: .max)
        ) { row throws(SQLError) in try Track(row) }
    }

    /// The pieces of one; nil when it is gone.
    func parts(of track: PinID) throws(SQLError) -> [TrackRecord.Part]? {
        guard let packed = try packedTrack(track) else { return nil }
        guard let parts = packed.parts else { throw SQLError(.corrupt, "the shape of a track is damaged") }
        return parts
    }

    func packedTrack(_ id: PinID) throws(SQLError) -> PackedTrack? {
        try first("SELECT shape, details FROM tracks WHERE id = ?1", id) { row throws(SQLError) in
            PackedTrack(shape: try row.blob(0), details: try row.optionalBlob(1) ?? [])
        }
    }

    /// Whether there was one.
    func deleteTrack(_ id: PinID, of account: String) throws(SQLError) -> Bool {
        try first("DELETE FROM tracks WHERE id = ?1 AND account = ?2 RETURNING id", id, account) {
            row throws(SQLError) in try row.pinID(0)
        } != nil
    }

    /// Gives how many there were.
    func deleteTracks(ofImport id: String, _ account: String) throws(SQLError) -> Int64 {
        let deleted = try rows("DELETE FROM tracks WHERE imported_by = ?1 AND account = ?2 RETURNING id", id, account) {
            row throws(SQLError) in try row.pinID(0)
        }
        return Int64(deleted.count)
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
            id: try row.pinID(0), account: try row.text(1), kind: Kind(rawValue: try row.integer(12)) ?? .line,
            name: try row.text(2), list: list, colour: PinList.Colour(rawValue: try row.integer(4)), box: box,
            pointCount: try row.integer(9), figures: try Figures(row), createdMilliseconds: try row.integer(11))
    }
}

extension Track.Figures {
    fileprivate init(_ row: borrowing Row) throws(SQLError) {
        self.init(lengthMetres: try row.double(10), climbMetres: try row.optionalDouble(13))
        if let start = try row.optionalInteger(14), let duration = try row.optionalInteger(15) {
            time = Time(startMilliseconds: start, durationMilliseconds: duration)
        }
    }
}
