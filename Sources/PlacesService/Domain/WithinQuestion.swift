import Bytes
import Geo

/// A search for places within a box, all of it checked.
struct WithinQuestion: Sendable {
    let box: Geo.Box
    /// Nearest to this point first; nil: ordered by id.
    let nearestTo: Geo.Coordinate?
    let limit: Int
    /// Where the page before ended; nil for the first page.
    var after: SearchCursor?
    var criteria = PlaceCriteria()
    var wantsCount = false

    /// Tells questions apart whose pages must not be mixed; the limit may change from page to page.
    var fingerprint: UInt64 {
        var hash = StableHash()
        for edge in [box.southE7, box.westE7, box.northE7, box.eastE7] {
            hash.add(UInt64(bitPattern: Int64(edge)))
        }
        for point in [nearestTo].compactMap(\.self) {
            hash.add(UInt64(bitPattern: Int64(point.latitudeE7)))
            hash.add(UInt64(bitPattern: Int64(point.longitudeE7)))
        }
        criteria.add(to: &hash)
        return hash.value
    }
}
