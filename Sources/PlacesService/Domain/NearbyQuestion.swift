import Bytes
import Geo

/// A search for places around a point, all of it checked.
struct NearbyQuestion: Sendable {
    let centre: Geo.Coordinate
    /// Infinite: however far.
    let radiusMetres: Double
    let limit: Int
    /// Where the page before ended; nil for the first page.
    var after: SearchCursor?
    var criteria = PlaceCriteria()
    var wantsCount = false

    /// Tells questions apart whose pages must not be mixed; the limit may change from page to page.
    var fingerprint: UInt64 {
        var hash = StableHash()
        hash.add(UInt64(bitPattern: Int64(centre.latitudeE7)))
        hash.add(UInt64(bitPattern: Int64(centre.longitudeE7)))
        hash.add(radiusMetres.bitPattern)
        criteria.add(to: &hash)
        return hash.value
    }
}
