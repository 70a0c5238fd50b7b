internal import Glibc

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

/// Trigonometry of angles given in whole 1e-7 degrees.
///
/// Differences of stored coordinates are exact as integers, so equal differences give bit-equal results, and
/// cosines are taken from the distance to the pole, so the cosine of a pole is exactly 0. The polynomials have no
/// branches and no tables, which lets the compiler interleave several of them.
enum ArcE7 {
    static let radiansPerUnit = Double.pi / 1_800_000_000
    static let fullTurn: Int64 = 3_600_000_000

    /// The sine of half an angle of 0 … 180°.
    static func sineOfHalf(_ angle: Int64) -> Double { sine(Double(angle) * (radiansPerUnit / 2)) }

    /// The cosine of a latitude.
    static func cosine(ofLatitude latitudeE7: Int32) -> Double {
        sine(Double(Int64(Coordinate.quarterE7) - Int64(latitudeE7.magnitude)) * radiansPerUnit)
    }

    /// The smaller angle between two meridians, 0 … 180°.
    static func betweenMeridians(_ a: Int32, _ b: Int32) -> Int64 {
        let apart = Int64((Int64(a) - Int64(b)).magnitude)
        return min(apart, fullTurn - apart)
    }

    /// Taylor's series to x²¹, for 0 … π/2: the first term left out is below 2e-18.
    @inline(__always)
    static func sine(_ x: Double) -> Double {
        let s = x * x
        var sum = 1.0 / 51_090_942_171_709_440_000
        sum = sum * s - 1.0 / 121_645_100_408_832_000
        sum = sum * s + 1.0 / 355_687_428_096_000
        sum = sum * s - 1.0 / 1_307_674_368_000
        sum = sum * s + 1.0 / 6_227_020_800
        sum = sum * s - 1.0 / 39_916_800
        sum = sum * s + 1.0 / 362_880
        sum = sum * s - 1.0 / 5_040
        sum = sum * s + 1.0 / 120
        sum = sum * s - 1.0 / 6
        return x + x * s * sum
    }

    /// Twice the arc sine of √h, for 0 … 0.5 and a little more.
    @inline(__always)
    static func twiceArcSineOfRoot(_ h: Double) -> Double {
        let root = h.squareRoot()
        guard h < 1e-3 else { return 2 * asin(root) }
        // The series of asin; with h below 1e-3 the first term left out is below 2e-20.
        var sum = 945.0 / 42_240
        sum = sum * h + 105.0 / 3_456
        sum = sum * h + 15.0 / 336
        sum = sum * h + 3.0 / 40
        sum = sum * h + 1.0 / 6
        return 2 * (root + root * h * sum)
    }
}
