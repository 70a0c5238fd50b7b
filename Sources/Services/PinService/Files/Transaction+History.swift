import FeatureFiles
import Geo
import PinFiles
import Storage
import Stores

// Where a phone was is exported again and again: what comes later goes on with what came before. What was there belongs
// to the import that brought it, so that taking back a later one takes away nothing that was there before.

extension Transaction {
    /// Writes the days of a file's places to those that are there, unless their owner has changed them.
    func addDays(_ places: [Pin]) throws(SQLError) {
        for place in places {
            guard let (id, known) = try imported(place) else { continue }
            let joined = known.joined(with: HistoryNote(note: place.note, visitedDay: place.visitedDay))
            guard joined != known, var pin = try self.pin(id) else { continue }
            (pin.note, pin.visitedDay) = (joined.note, joined.visitedDay)
            _ = try touch(pin)
        }
    }

    /// The pin of that name there, if an import has made it and its owner has not changed it.
    private func imported(_ place: Pin) throws(SQLError) -> (id: PinID, note: HistoryNote)? {
        let near = NearCorners(place.position)
        return try first(
            """
            SELECT pins.id, pins.note, pins.visited_day
            FROM (SELECT CAST(?1 AS BIGINT) AS first, CAST(?2 AS BIGINT) AS last
                UNION ALL SELECT ?3, ?4 UNION ALL SELECT ?5, ?6 UNION ALL SELECT ?7, ?8) AS ranges
            CROSS JOIN pins
            WHERE pins.account = ?9 AND pins.cell BETWEEN ranges.first AND ranges.last
                AND pins.latitude_e7 BETWEEN ?10 AND ?11 AND pins.longitude_e7 BETWEEN ?12 AND ?13
                AND pins.name = ?14 AND pins.imported_by <> ''
            ORDER BY pins.id LIMIT 1
            """, near.first(0), near.last(0), near.first(1), near.last(1), near.first(2), near.last(2), near.first(3),
            near.last(3), place.account, near.south, near.north, near.west, near.east, place.name
        ) { row throws(SQLError) in
            (id: try row.pinID(0), note: HistoryNote(note: try row.text(1), visitedDay: try row.text(2)))
        }
    }

    /// Compares a month of where a phone was with the tracks of that name: of two of which one has all points of the
    /// other, with their times, only the longer one stays. Removes those that are shorter.
    func settle(_ draft: TrackDraft, of it: PinImport) throws(SQLError) -> SettledTrack {
        // A file seldom has two of a month.
        let mostCompared = 10
        guard draft.isHistory, let time = draft.figures.time else { return SettledTrack() }
        let found = try rows(
            """
            SELECT id, imported_by, byte_count FROM tracks
            WHERE account = ?1 AND name = ?2 AND kind = ?3 AND start_ms <= ?4 AND start_ms + duration_ms >= ?5
                AND NOT EXISTS (SELECT 1 FROM tracks AS same WHERE same.account = ?1 AND same.digest = ?6)
            ORDER BY id LIMIT ?7
            """, it.account, draft.name, draft.kind.rawValue, time.startMilliseconds + time.durationMilliseconds,
            time.startMilliseconds, draft.digest, mostCompared
        ) { row throws(SQLError) in
            (id: try row.pinID(0), importID: try row.text(1), bytes: try row.integer(2))
        }
        var settled = SettledTrack()
        guard !found.isEmpty, let parts = draft.packed.parts else { return settled }
        let points = parts.timedPlaces
        for track in found {
            guard let others = try self.parts(of: track.id)?.timedPlaces else { continue }
            if points.isSubset(of: others) {
                settled.isKnown = true
            } else if others.isSubset(of: points), try deleteTrack(track.id, of: it.account) {
                settled.importID = settled.importID ?? track.importID
                settled.removed = (settled.removed.count + 1, settled.removed.bytes + track.bytes)
            }
        }
        return settled
    }
}

/// How a month of where a phone was compares with the tracks that are there.
struct SettledTrack {
    /// Whether one of them has all that it has.
    var isKnown = false
    /// The import of one that was shorter and is gone.
    var importID: String?
    /// How many were shorter, and of how many bytes.
    var removed: (count: Int64, bytes: Int64) = (0, 0)
}

extension [TrackRecord.Part] {
    fileprivate var timedPlaces: Set<TimedPlace> { Set(lazy.flatMap(\.points).map { TimedPlace($0) }) }
}

private struct TimedPlace: Hashable {
    let position: Geo.Coordinate
    let heightCentimetres: Int32?
    let milliseconds: Int64?

    init(_ point: ShapePoint) {
        (position, heightCentimetres) = (point.position, point.heightCentimetres)
        milliseconds = point.milliseconds
    }
}
