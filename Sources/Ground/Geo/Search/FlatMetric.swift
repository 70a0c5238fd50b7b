/// Squared metres on a plane that touches the sphere from below, for radii up to 50 km away from the poles.
///
/// With Δφ, Δλ the differences to the centre φ₁ and hav x = sin²(x/2), the distance d on radius R obeys
/// d² ≥ 4R²·(hav Δφ + cos φ₁ cos φ₂ hav Δλ), and hav x ≥ x²/4 · (1 − x²/12). Within the radius cos φ₂ is at least
/// its minimum c over the belt of the circle, hence
///
///     d² ≥ A·Δφ² + B·Δλ²      with A = R²(1 − Δφₘ²/12),  B = R² cos φ₁ · c · (1 − Δλₘ²/12)
///
/// and the same with the maximum of cos φ₂ from above gives `ratio`.
struct FlatMetric: SearchMetric {
    let outerKey: Float
    let innerKey: Float
    let ratio: Float
    private let latitude: SIMD4<Int32>
    private let longitude: SIMD4<Int32>
    private let latitudeScale: Float
    private let longitudeScale: Float
    private let unwrap: MeridianUnwrap

    static let maximumRadiusMetres = 50_000.0
    private static let maximumRatio = 1.25
    /// Seven float operations lose at most 7 × 2^-24 of a key; this is more.
    private static let rounding = 1e-6

    /// Nil where the plane would be too inaccurate: for a large radius or near a pole.
    init?(centre: Coordinate, radiusMetres: Double) {
        guard radiusMetres <= Self.maximumRadiusMetres else { return nil }
        let angle = radiusMetres / Distance.earthRadiusMetres
        // A margin of fifteen percent, and a metre, so that every point that passes the key's bound is inside of the
        // belt.
        let belt = Int64(angle * 1.15 / ArcE7.radiansPerUnit) + 100
        let farthest = Int64(centre.latitudeE7.magnitude) + belt
        let nearest = max(0, Int64(centre.latitudeE7.magnitude) - belt)
        guard farthest < 890_000_000 else { return nil }
        let cosine = ArcE7.cosine(ofLatitude: centre.latitudeE7)
        let least = ArcE7.cosine(ofLatitude: Int32(farthest))
        let most = ArcE7.cosine(ofLatitude: Int32(nearest))
        let wide = 1.15 * angle / (cosine * least).squareRoot()
        let bendNorth = 1 - angle * angle / 12
        let bendEast = 1 - wide * wide / 12
        let bend = 1 + angle * angle
        let spread = max(1 / bendNorth, most / (least * bendEast)) * bend * (1 + 4 * Self.rounding)
        guard wide < 0.5, spread <= Self.maximumRatio else { return nil }
        ratio = Float(spread)
        let unit = Distance.earthRadiusMetres * ArcE7.radiansPerUnit
        let squareUnit = unit * unit * (1 - Self.rounding)
        latitudeScale = Float(squareUnit * bendNorth)
        longitudeScale = Float(squareUnit * bendEast * cosine * least)
        outerKey = Float(radiusMetres * radiusMetres)
        innerKey = outerKey / Float(spread) * Float(1 - Self.rounding)
        latitude = SIMD4(repeating: centre.latitudeE7)
        longitude = SIMD4(repeating: centre.longitudeE7)
        unwrap = MeridianUnwrap(centre.longitudeE7)
    }

    func keys(ofMetres metres: Double) -> (low: Float, high: Float) {
        let square = Float(metres * metres)
        return (square / ratio * Float(1 - Self.rounding), square * Float(1 + Self.rounding))
    }

    @inline(__always)
    func nearKeys(_ group: UnsafeRawPointer, count: Int, into keys: UnsafeMutablePointer<Float>) {
        for lane in 0..<4 {
            let (south, north, west, east) = unsafe Self.edges(group, lane)
            // At most one of the two is above 0.
            let up = (south &- latitude).orZero &+ (latitude &- north).orZero
            let nearer = unwrap.difference(west).magnitudes.lesser(unwrap.difference(east).magnitudes)
            // Halves, since whole differences could overflow; that errs by one unit, towards inside.
            let isOutside = ((longitude &>> 1) &- (west &>> 1)).signs | ((east &>> 1) &- (longitude &>> 1)).signs
            unsafe store(up, nearer & isOutside, keys, lane)
        }
    }

    @inline(__always)
    func farKeys(_ group: UnsafeRawPointer, count: Int, into keys: UnsafeMutablePointer<Float>) {
        let widest = SIMD4<Int32>(repeating: Coordinate.halfTurnE7 / 2 - 1)
        for lane in 0..<4 {
            let (south, north, west, east) = unsafe Self.edges(group, lane)
            let up = (south &- latitude).magnitudes.greater((north &- latitude).magnitudes)
            let farther = unwrap.difference(west).magnitudes.greater(unwrap.difference(east).magnitudes)
            // A node wider than half of the Earth may contain the far side between two near edges.
            let isWide = (widest &- ((east &>> 1) &- (west &>> 1))).signs
            unsafe store(up, farther | (isWide & Int32.max), keys, lane)
        }
    }

    @inline(__always)
    func pointKeys(_ block: UnsafeRawPointer, count: Int, into keys: UnsafeMutablePointer<Float>) {
        let far = SnapshotLayout.blockPlaces * 4
        for lane in 0..<(SnapshotLayout.blockPlaces / 4) {
            let latitudes = unsafe block.loadUnaligned(fromByteOffset: lane * 16, as: SIMD4<Int32>.self)
            let longitudes = unsafe block.loadUnaligned(fromByteOffset: far + lane * 16, as: SIMD4<Int32>.self)
            unsafe store(latitudes &- latitude, unwrap.difference(longitudes), keys, lane)
        }
    }

    @inline(__always)
    private func store(
        _ up: SIMD4<Int32>, _ along: SIMD4<Int32>, _ keys: UnsafeMutablePointer<Float>, _ lane: Int
    ) {
        let (up, along) = (SIMD4<Float>(up), SIMD4<Float>(along))
        let key = up * up * latitudeScale + along * along * longitudeScale
        unsafe UnsafeMutableRawPointer(keys).storeBytes(of: key, toByteOffset: lane * 16, as: SIMD4<Float>.self)
    }

    @inline(__always)
    private static func edges(
        _ group: UnsafeRawPointer, _ lane: Int
    ) -> (south: SIMD4<Int32>, north: SIMD4<Int32>, west: SIMD4<Int32>, east: SIMD4<Int32>) {
        unsafe (
            group.loadUnaligned(fromByteOffset: lane * 16, as: SIMD4<Int32>.self),
            group.loadUnaligned(fromByteOffset: 64 + lane * 16, as: SIMD4<Int32>.self),
            group.loadUnaligned(fromByteOffset: 128 + lane * 16, as: SIMD4<Int32>.self),
            group.loadUnaligned(fromByteOffset: 192 + lane * 16, as: SIMD4<Int32>.self)
        )
    }
}

/// Comparisons and choices on four numbers at a time by sign bits alone.
///
/// The vector types' own masks come out as one branch per lane on the plain x86-64 that we build for; shifts and
/// bitwise operations stay vectors.
extension SIMD4<Int32> {
    /// All ones in the lanes below 0.
    @inline(__always)
    var signs: SIMD4<Int32> { self &>> 31 }

    /// 0 in the lanes below 0.
    @inline(__always)
    var orZero: SIMD4<Int32> { self & ~signs }

    @inline(__always)
    var magnitudes: SIMD4<Int32> { (self ^ signs) &- signs }

    /// The lesser of numbers that are not below 0.
    @inline(__always)
    func lesser(_ other: SIMD4<Int32>) -> SIMD4<Int32> { other ^ ((self ^ other) & (self &- other).signs) }

    /// The greater of numbers that are not below 0.
    @inline(__always)
    func greater(_ other: SIMD4<Int32>) -> SIMD4<Int32> { self ^ ((self ^ other) & (self &- other).signs) }
}
