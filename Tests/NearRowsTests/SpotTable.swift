import Geo
import Requests
import Storage
import Stores
import Synchronization
import TestTools

@testable import NearRows

/// A table with a row for each number, all of which everyone sees. Its changes may be made to be wrong.
final class SpotTable: NearTable {
    static let migrations = [
        SubjectSchema.migration,
        Migration(
            "spots",
            """
            CREATE TABLE spots (
                number BIGINT PRIMARY KEY, latitude_e7 BIGINT NOT NULL, longitude_e7 BIGINT NOT NULL,
                version BIGINT NOT NULL);
            """),
    ]

    struct State {
        var edition = "1"
        /// Whether rows are read as they are, or a point is left out of each.
        var isRight = true
        var rowsRead = 0
        /// Called when all rows were read at the start.
        var whileLoading: (@Sendable () -> Void)?
    }

    let state = Mutex(State())
    let content = "spots"
    let distance = DistanceField(15)
    let isOrderedByPointID = false

    var edition: String { state.withLock { $0.edition } }

    func subject(of account: String) -> String { wholeStore }

    func owners(seenBy account: String) -> [String] { [""] }

    func load(_ transaction: borrowing Transaction) throws(SQLError) -> [LoadedPoints] {
        let points = try transaction.rows("SELECT number, latitude_e7, longitude_e7 FROM spots") {
            row throws(SQLError) in IndexedPoint(Self.id(try row.integer(0)), at: try row.coordinate(1))
        }
        state.withLock { $0.whileLoading }?()
        let kept = state.withLock { $0.isRight } ? points : Array(points.dropFirst())
        return [LoadedPoints(of: wholeStore, version: try transaction.lastVersion(), ["": kept])]
    }

    func changes(
        of subject: String, above version: Int64, atMost limit: Int64, _ transaction: borrowing Transaction
    ) throws(SQLError) -> PointChanges {
        var changes = PointChanges(isWhole: version < 0, messages: .all)
        try transaction.forEach(
            "SELECT number, latitude_e7, longitude_e7 FROM spots WHERE version > ?1 LIMIT ?2", version, limit
        ) { row throws(SQLError) in changes.put(Self.id(try row.integer(0)), of: "", at: try row.coordinate(1)) }
        return changes
    }

    func row(
        _ id: PointID, for account: String, _ transaction: borrowing Transaction
    ) throws(SQLError) -> NearRow? {
        state.withLock { $0.rowsRead += 1 }
        return try transaction.first(
            "SELECT number, latitude_e7, longitude_e7 FROM spots WHERE number = ?1", Int64(bitPattern: id.low)
        ) { row throws(SQLError) in Self.row(try row.integer(0), try row.coordinate(1)) }
    }

    func nearest(
        _ query: NearQuery, for account: String, _ transaction: borrowing Transaction
    ) throws(SQLError) -> NearHits {
        var hits: [NearHits.Hit] = []
        try transaction.forEach("SELECT number, latitude_e7, longitude_e7 FROM spots") { row throws(SQLError) in
            let position = try row.coordinate(1)
            let metres = query.centre.metres(to: position)
            guard metres <= query.radiusMetres else { return }
            hits.append(NearHits.Hit(Self.row(try row.integer(0), position), metres: metres))
        }
        hits.sort { ($0.metres, $0.row.id) < ($1.metres, $1.row.id) }
        return NearHits(Array(hits.prefix(query.limit)), isTruncated: hits.count > query.limit)
    }

    /// As long as another, so that memory fills evenly.
    static func message(_ number: Int64) -> [UInt8] {
        let text = Array("\(number)".utf8)
        return [UInt8](repeating: 0, count: 100 - text.count) + text
    }

    static func id(_ number: Int64) -> PointID { PointID(high: 0, low: UInt64(bitPattern: number)) }

    private static func row(_ number: Int64, _ position: Coordinate) -> NearRow {
        NearRow(id: "\(number)", position: position, message: message(number))
    }
}

extension Transaction {
    func put(_ number: Int64, latitudeE7: Int64) throws(SQLError) {
        try execute(
            """
            INSERT INTO spots (number, latitude_e7, longitude_e7, version) VALUES (?1, ?2, 250000000, ?3)
            ON CONFLICT (number) DO UPDATE SET latitude_e7 = excluded.latitude_e7, version = excluded.version
            """, number, latitudeE7, try nextVersion())
    }
}
