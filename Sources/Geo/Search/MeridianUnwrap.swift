/// Differences of longitudes in 32 bits, right across the antimeridian.
///
/// The true difference lies in ±3.6e9 and wraps around 2^32. With a centre c ≥ 0 only differences below −2^31 wrap,
/// and they come out above 1.8e9 − c, where no true difference lies; what is meant there is the way round the other
/// side, 3.6e9 more than the true one, which is the wrapped one less 2^32 − 3.6e9. West of Greenwich mirrored.
///
/// Differences between 1.8e9 and 2^31 are left as they are: all of them mean more than 145 degrees.
struct MeridianUnwrap {
    private let longitude: SIMD4<Int32>
    private let above: SIMD4<Int32>
    private let below: SIMD4<Int32>
    private let excess = SIMD4<Int32>(repeating: 694_967_296)

    init(_ longitudeE7: Int32) {
        longitude = SIMD4(repeating: longitudeE7)
        above = SIMD4(repeating: longitudeE7 >= 0 ? Coordinate.halfTurnE7 - longitudeE7 : .max)
        below = SIMD4(repeating: longitudeE7 < 0 ? -Coordinate.halfTurnE7 - longitudeE7 : .min)
    }

    @inline(__always)
    func difference(_ longitudes: SIMD4<Int32>) -> SIMD4<Int32> {
        let raw = longitudes &- longitude
        // Only raw numbers of 0 and more can be above, only those below 0 below: so neither subtraction overflows
        // where its sign is looked at.
        let isAbove = ((above &- raw) & ~raw).signs
        let isBelow = ((raw &- below) & raw).signs
        return raw &- (isAbove & excess) &+ (isBelow & excess)
    }
}
