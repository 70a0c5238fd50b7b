/// Where the next page continues: after the place with this distance and id.
package struct SearchCursor: Sendable, Equatable {
    /// The distance of the last place given, exactly as the hit had it; not looked at in the order of ids.
    package let metres: Double
    /// Its id.
    package let id: [UInt8]

    /// A cursor from its parts, as a client brought them back.
    package init(metres: Double, id: [UInt8]) {
        self.metres = metres
        self.id = id
    }
}

/// Asks for the places within a radius, nearest first.
package struct NearbyQuery: Sendable {
    package let centre: Coordinate
    /// 0 or more; from half the girth on it means everything.
    package let radiusMetres: Double
    package let limit: Int
    package let after: SearchCursor?
    package let filter: ResolvedFilter?

    /// Most hits of one search.
    package static let maximumLimit = 1_000_000

    /// A query; without a radius it asks for the nearest places however far. Refuses a negative radius or one that
    /// is not a number, and a limit outside of 1 … 1 000 000.
    package init(
        centre: Coordinate, radiusMetres: Double = .infinity, limit: Int, after: SearchCursor? = nil,
        filter: ResolvedFilter? = nil
    ) throws(GeoError) {
        guard radiusMetres >= 0 else {
            throw .outOfRange(field: "radius", value: "\(radiusMetres)", allowed: "0 metres or more are")
        }
        try Self.check(limit: limit)
        self.centre = centre
        self.radiusMetres = min(radiusMetres, 2 * Distance.halfGirthMetres)
        self.limit = limit
        self.after = after
        self.filter = filter
    }

    static func check(limit: Int) throws(GeoError) {
        guard (1...maximumLimit).contains(limit) else {
            throw .outOfRange(field: "limit", value: "\(limit)", allowed: "1 to \(maximumLimit) are")
        }
    }
}

/// Asks for the places within a box.
package struct BoxQuery: Sendable {
    /// What comes first.
    package enum Order: Sendable {
        /// Ascending bytes of the id; hits have distance 0.
        case id
        /// Nearest to this point first.
        case distance(from: Coordinate)
    }

    package let box: Box
    package let order: Order
    package let limit: Int
    package let after: SearchCursor?
    package let filter: ResolvedFilter?

    /// A query. Refuses a limit outside of 1 … 1 000 000.
    package init(
        box: Box, order: Order, limit: Int, after: SearchCursor? = nil, filter: ResolvedFilter? = nil
    ) throws(GeoError) {
        try NearbyQuery.check(limit: limit)
        self.box = box
        self.order = order
        self.limit = limit
        self.after = after
        self.filter = filter
    }
}

/// One place found.
package struct Hit: BitwiseCopyable, Sendable, Equatable {
    /// The snapshot's index in the set that was searched.
    package let source: UInt32
    /// The place's number in that snapshot.
    package let ordinal: UInt32
    /// Metres from the query's centre.
    package let metres: Double
}

/// What a search returns besides its hits.
package struct SearchOutcome: Sendable, Equatable {
    /// Whether more places match than were given.
    package let truncated: Bool
    /// Nodes of the trees that were looked at.
    package let visited: Int
    /// Candidates whose distance was looked at.
    package let tested: Int
    /// Candidates near enough, as far as the bound was known then, that did not pass the filter.
    package let filtered: Int

    init(truncated: Bool, _ progress: SearchProgress) {
        self.truncated = truncated
        visited = progress.visited
        tested = progress.tested
        filtered = progress.filtered
    }
}

/// The exact side of a search: the centre, the radius, and the place after which to begin.
struct Circle {
    let centre: Coordinate
    let radiusMetres: Double
    private let cosine: Double

    init(centre: Coordinate, radiusMetres: Double) {
        self.centre = centre
        self.radiusMetres = radiusMetres
        cosine = ArcE7.cosine(ofLatitude: centre.latitudeE7)
    }

    @inline(__always)
    func metres(to point: Coordinate) -> Double { Distance.metres(from: centre, cosine: cosine, to: point) }

    func contains(_ point: Coordinate) -> Bool { metres(to: point) <= radiusMetres }
}
