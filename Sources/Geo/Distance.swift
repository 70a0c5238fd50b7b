/// The one distance function of the project: the haversine formula on the mean sphere.
///
/// Every part that orders by distance calls this, so that ties are ties to the last bit.
package enum Distance {
    /// The Earth's mean radius (IUGG R1) in metres.
    package static let earthRadiusMetres = 6_371_008.8
    /// Half of a great circle: no two points are farther apart.
    package static let halfGirthMetres = Double.pi * earthRadiusMetres

    /// The great-circle distance in metres, 0 … half the girth, good to a few nanometres everywhere.
    ///
    /// Beyond a quarter of the girth the arc sine would lose digits, so there the distance to the antipode is
    /// measured in the same way and taken from half the girth.
    package static func metres(from a: Coordinate, to b: Coordinate) -> Double {
        metres(from: a, cosine: ArcE7.cosine(ofLatitude: a.latitudeE7), to: b)
    }

    /// The same, with the cosine of `a`'s latitude at hand.
    @inline(__always)
    static func metres(from a: Coordinate, cosine: Double, to b: Coordinate) -> Double {
        let between = ArcE7.betweenMeridians(a.longitudeE7, b.longitudeE7)
        let cosines = cosine * ArcE7.cosine(ofLatitude: b.latitudeE7)
        let apart = Int64((Int64(a.latitudeE7) - Int64(b.latitudeE7)).magnitude)
        let h = haversine(latitudes: apart, meridians: between, cosines: cosines)
        if h <= 0.5 { return earthRadiusMetres * ArcE7.twiceArcSineOfRoot(h) }
        let sum = Int64((Int64(a.latitudeE7) + Int64(b.latitudeE7)).magnitude)
        let rest = haversine(latitudes: sum, meridians: ArcE7.fullTurn / 2 - between, cosines: cosines)
        return earthRadiusMetres * (Double.pi - ArcE7.twiceArcSineOfRoot(rest))
    }

    /// hav θ = hav Δφ + cos φ₁ cos φ₂ hav Δλ, with hav x = sin²(x/2).
    @inline(__always)
    static func haversine(latitudes: Int64, meridians: Int64, cosines: Double) -> Double {
        let up = ArcE7.sineOfHalf(latitudes)
        let along = ArcE7.sineOfHalf(meridians)
        return up * up + cosines * (along * along)
    }
}
