internal import Bytes
package import Geo

/// What an account wants to know of one network: what lies in a circle, or the nearest of it.
package struct AreaQuestion: Hashable, Sendable {
    /// Each part of the circle is asked about before the next; most searches need no second one.
    private static let firstReachMetres = 1_000.0
    /// How much farther the next part reaches.
    private static let growth: ClosedRange<Double> = 1.5...4

    package let account: String
    package let centre: Coordinate
    package var radiusMetres: Double
    /// How many of the nearest suffice; nil: all are wanted.
    package let nearest: Int?
    /// Whether earlier answers are ignored, and what they have cost.
    package var isForced: Bool

    package init(
        account: String, around centre: Coordinate, radiusMetres: Double, nearest: Int? = nil, isForced: Bool = false
    ) {
        self.account = account
        self.centre = centre
        self.radiusMetres = radiusMetres
        self.nearest = nearest
        self.isForced = isForced
    }

    /// Who asks: the same for every pass of one search, also after a restart and on another replica.
    var asker: NetworkAsker {
        var hash = StableHash()
        hash.add(UInt64(bitPattern: Int64(centre.latitudeE7)))
        hash.add(UInt64(bitPattern: Int64(centre.longitudeE7)))
        hash.add(radiusMetres.bitPattern)
        hash.add(UInt64(nearest ?? 0))
        return NetworkAsker(account: account, search: Int64(bitPattern: hash.value))
    }

    /// How far the first part reaches.
    var firstReach: Double { nearest == nil ? radiusMetres : min(radiusMetres, Self.firstReachMetres) }

    /// How far the next part reaches when so many were found up to here: by their density, a little farther than the
    /// wanted ones.
    func reach(after reach: Double, found: Int) -> Double {
        guard let nearest else { return radiusMetres }
        let factor = (1.5 * Double(nearest) / Double(max(found, 1))).squareRoot()
        return min(radiusMetres, reach * min(max(factor, Self.growth.lowerBound), Self.growth.upperBound))
    }
}

/// For whom a network is asked: whose turn it is, and whose budgets a request counts against.
package struct NetworkAsker: Hashable, Sendable {
    /// The service itself, for what no account has asked for.
    package static let service = NetworkAsker(account: "")

    /// Empty for the service, which has no share of its own.
    package let account: String
    /// Which of the account's searches; nil for a single question.
    package let search: Int64?

    package init(account: String, search: Int64? = nil) {
        self.account = account
        self.search = search
    }
}
