internal import Glibc

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
