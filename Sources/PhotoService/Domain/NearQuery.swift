import Geo

/// A question for the photos around a point, known to be allowed.
struct NearQuery: Equatable, Sendable {
    /// In metres.
    static let radiusRange = 0.0...100_000.0
    static let defaultRadius = 1_000.0
    static let limitRange: ClosedRange<UInt32> = 1...200
    static let defaultLimit: UInt32 = 20

    let centre: Coordinate
    /// In metres.
    let radiusMetres: Double
    /// How many photos at most.
    let limit: Int

    init(centre: Coordinate, radiusMetres: Double?, limit: UInt32?) throws(PhotoError) {
        let (radius, limit) = (radiusMetres ?? Self.defaultRadius, limit ?? Self.defaultLimit)
        guard Self.radiusRange.contains(radius) else {
            throw .invalid(field: "radius_m", "\(radius) is given, 0 to 100,000 metres are allowed")
        }
        guard Self.limitRange.contains(limit) else {
            throw .invalid(field: "limit", "\(limit) is given, 1 to 200 photos are allowed")
        }
        self.centre = centre
        self.radiusMetres = radius
        self.limit = Int(limit)
    }
}
