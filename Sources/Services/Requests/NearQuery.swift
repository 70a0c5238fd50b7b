package import PlaceContracts
package import Geo
package import Refusals

/// A query for what is near a point, already checked.
package struct NearQuery: Equatable, Sendable {
    package let centre: Geo.Coordinate
    package let radiusMetres: Double
    /// The most results.
    package let limit: Int

    /// From the fields `centre`, `radius_m` and `limit` of a request.
    package init(centre: BaseContracts.Coordinate?, radiusMetres: Double?, limit: UInt32?) throws(Refusal) {
        self.centre = try Geo.Coordinate(centre, field: "centre")
        self.radiusMetres = radiusMetres ?? NearbyRequest.radiusMDefault
        self.limit = Int(limit ?? NearbyRequest.limitDefault)
    }
}
