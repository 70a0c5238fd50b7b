/// Chooses the nearest of any number of points, in an order that depends only on the points: distance, then id.
///
/// It keeps at most twice the limit. Whenever it is full, the farther half is dropped, and from then on points beyond
/// the farthest one kept are rejected.
package struct NearestSelection<ID: Comparable & Sendable>: Sendable {
    /// A chosen point.
    package struct Hit: Comparable, Sendable {
        /// Great-circle distance from the centre in metres.
        package let metres: Double
        package let id: ID

        package static func < (left: Hit, right: Hit) -> Bool {
            left.metres == right.metres ? left.id < right.id : left.metres < right.metres
        }
    }

    private let centre: Coordinate
    private let cosine: Double
    private let radiusMetres: Double
    private let limit: Int
    private var hits: [Hit] = []
    /// No point farther away than this can be among the nearest.
    private var reach: Double
    /// How many points lay within the radius so far.
    package private(set) var matchCount = 0

    /// Chooses at most `limit` (1 or more) points no farther than `radiusMetres` (0 or more) from `centre`.
    package init(centre: Coordinate, radiusMetres: Double, limit: Int) {
        precondition(limit > 0, "a selection needs room for a point")
        self.centre = centre
        cosine = ArcE7.cosine(ofLatitude: centre.latitudeE7)
        self.radiusMetres = radiusMetres
        reach = radiusMetres
        self.limit = limit
    }

    /// Whether there were more points within the radius than the limit.
    package var isTruncated: Bool { matchCount > limit }

    /// Considers a point. Its id is only requested when it may be among the nearest.
    package mutating func offer<Failure: Error>(
        _ point: Coordinate, id: () throws(Failure) -> ID
    ) throws(Failure) {
        let metres = Distance.metres(from: centre, cosine: cosine, to: point)
        guard metres <= radiusMetres else { return }
        matchCount += 1
        guard metres <= reach else { return }
        hits.append(Hit(metres: metres, id: try id()))
        if hits.count >= 2 * limit { dropFarther() }
    }

    /// What was chosen, nearest first.
    package var nearest: [Hit] { Array(hits.sorted().prefix(limit)) }

    private mutating func dropFarther() {
        hits.sort()
        hits.removeLast(hits.count - limit)
        reach = hits[limit - 1].metres
    }
}
