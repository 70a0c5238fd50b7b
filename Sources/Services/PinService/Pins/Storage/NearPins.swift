import PinContracts
import Geo
import NearRows
import Requests
import Storage
import Stores
import Wire

/// Pins as rows that are searched from memory: each account sees its own. Every change of what a pin's message has
/// gives the pin a version of its account.
struct NearPins: NearTable {
    /// `Pin.distance_m`.
    let distance = DistanceField(15)

    let content = "pins"
    let isOrderedByPointID = true

    func subject(of account: String) -> String { account }

    func owners(seenBy account: String) -> [String] { [account] }

    func load(_ transaction: borrowing Transaction) throws(SQLError) -> [LoadedPoints] {
        var (loaded, points): ([LoadedPoints], [IndexedPoint]) = ([], [])
        var last = (account: "", version: Int64(0))
        func end() {
            if !points.isEmpty {
                loaded.append(LoadedPoints(of: last.account, version: last.version, [last.account: points]))
            }
            points = []
        }
        try transaction.scan(
            """
            SELECT pins.account, coalesce(subjects.version, versions.last), pins.id, pins.latitude_e7, pins.longitude_e7
            FROM pins CROSS JOIN versions LEFT JOIN subjects ON subjects.name = pins.account
            WHERE versions.id = 1 ORDER BY pins.account
            """
        ) { row throws(SQLError) in
            let account = try row.text(0)
            if account != last.account { end() }
            last = (account, try row.integer(1))
            points.append(IndexedPoint(PointID(try row.pinID(2)), at: try row.coordinate(3)))
        }
        end()
        return loaded
    }

    func changes(
        of account: String, above version: Int64, atMost limit: Int64, _ transaction: borrowing Transaction
    ) throws(SQLError) -> PointChanges {
        let forgotten = try transaction.lastForgottenRemoval(of: account)
        let isWhole = version < 0 || version < forgotten
        var changes = PointChanges(isWhole: isWhole, messages: .listed)
        if !isWhole {
            try transaction.forEach(
                "SELECT pin FROM removals WHERE account = ?1 AND version > ?2 LIMIT ?3", account, version, limit
            ) { row throws(SQLError) in changes.put(PointID(try row.pinID(0)), of: account, at: nil) }
        }
        try transaction.forEach(
            "SELECT id, latitude_e7, longitude_e7 FROM pins WHERE account = ?1 AND version > ?2 LIMIT ?3", account,
            isWhole ? -1 : version, limit
        ) { row throws(SQLError) in
            changes.put(PointID(try row.pinID(0)), of: account, at: try row.coordinate(1))
        }
        return changes
    }

    func row(
        _ id: PointID, for account: String, _ transaction: borrowing Transaction
    ) throws(SQLError) -> NearRow? {
        try transaction.pin(PinID(high: id.high, low: id.low), of: account).map { NearRow($0) }
    }

    func nearest(
        _ query: NearQuery, for account: String, _ transaction: borrowing Transaction
    ) throws(SQLError) -> NearHits {
        let chosen = try transaction.nearest(query, of: account)
        var hits: [NearHits.Hit] = []
        for hit in chosen.nearest {
            guard let pin = try transaction.pin(hit.id, of: account) else { continue }
            hits.append(NearHits.Hit(NearRow(pin), metres: hit.metres))
        }
        return NearHits(hits, isTruncated: chosen.isTruncated)
    }
}

extension PointID {
    fileprivate init(_ pin: PinID) { self.init(high: pin.high, low: pin.low) }
}

extension NearRow {
    fileprivate init(_ pin: Pin) {
        self.init(id: pin.id.description, position: pin.position, message: PinContracts.Pin(pin).packedBytes())
    }
}
