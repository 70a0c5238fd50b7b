package import Contracts
package import Geo
package import RPC

/// A question for what a store keeps around a point, known to be allowed.
package struct NearQuery: Equatable, Sendable {
    /// In metres.
    package static let radiusRange = 0.0...100_000.0
    package static let defaultRadius = 1_000.0
    package static let limitRange: ClosedRange<UInt32> = 1...200
    package static let defaultLimit: UInt32 = 20

    package let centre: Geo.Coordinate
    /// In metres.
    package let radiusMetres: Double
    /// How many at most.
    package let limit: Int

    /// The question of a request; INVALID_ARGUMENT when it is not allowed. `content` is what is asked for, for the
    /// sentences: "pins".
    package init(
        centre: Contracts.Coordinate?, radiusMetres: Double?, limit: UInt32?, content: String
    ) throws(RPCError) {
        let (radius, limit) = (radiusMetres ?? Self.defaultRadius, limit ?? Self.defaultLimit)
        self.centre = try Geo.Coordinate(centre, field: "centre")
        guard Self.radiusRange.contains(radius) else {
            throw .invalid("radius_m", "\(radius) is given, 0 to 100,000 metres are allowed")
        }
        guard Self.limitRange.contains(limit) else {
            throw .invalid("limit", "\(limit) is given, 1 to 200 \(content) are allowed")
        }
        self.radiusMetres = radius
        self.limit = Int(limit)
    }
}
