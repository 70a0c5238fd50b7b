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
            let joined = known.joined(with: PlaceNote(note: place.note, visitedDay: place.visitedDay))
            guard joined != known, var pin = try self.pin(id) else { continue }
            (pin.note, pin.visitedDay) = (joined.note, joined.visitedDay)
            _ = try touch(pin)
        }
    }

    /// The pin of that name there, if an import has made it and its owner has not changed it.
    private func imported(_ place: Pin) throws(SQLError) -> (id: PinID, note: PlaceNote)? {
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
            (id: try row.pinID(0), note: PlaceNote(note: try row.text(1), visitedDay: try row.text(2)))
        }
    }

    /// Removes tracks of earlier imports all of whose points a track of a phone's history has, with their times. Gives
    /// of one of them whose it was, and of all how much room there is now; nil when there is none.
    func removeShorter(
        than draft: TrackDraft, of it: PinImport
    ) throws(SQLError) -> (importID: String, count: Int64, bytes: Int64)? {
        // Of one import and month there are seldom two.
        let mostCompared = 10
        guard draft.isHistory, let time = draft.figures.time else { return nil }
        let found = try rows(
            """
            SELECT id, imported_by, byte_count FROM tracks
            WHERE account = ?1 AND name = ?2 AND kind = ?3 AND imported_by <> ?4 AND point_count <= ?5
                AND start_ms >= ?6 AND start_ms + duration_ms <= ?7
                AND NOT EXISTS (SELECT 1 FROM tracks AS same WHERE same.account = ?1 AND same.digest = ?8)
            ORDER BY id LIMIT ?9
            """, it.account, draft.name, draft.kind.rawValue, it.id, draft.pointCount, time.startMilliseconds,
            time.startMilliseconds + time.durationMilliseconds, draft.digest, mostCompared
        ) { row throws(SQLError) in
            (id: try row.pinID(0), importID: try row.text(1), bytes: try row.integer(2))
        }
        guard !found.isEmpty else { return nil }
        let points = Set((draft.packed.parts ?? []).lazy.flatMap(\.points).map(TimedPlace.init))
        var removed: (importID: String, count: Int64, bytes: Int64)?
        for track in found {
            guard let parts = try self.parts(of: track.id),
                parts.allSatisfy({ $0.points.allSatisfy { points.contains(TimedPlace($0)) } }),
                try deleteTrack(track.id, of: it.account)
            else { continue }
            removed = (
                removed?.importID ?? track.importID, (removed?.count ?? 0) + 1, (removed?.bytes ?? 0) + track.bytes
            )
        }
        return removed
    }
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
