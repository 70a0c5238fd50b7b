internal import Glibc

/// A cheap measure of nearness that is used instead of the exact distance while candidates are filtered.
///
/// A key grows with distance and never overstates it: with `exact(p)` the true measure in the metric's own unit,
///
///     key(p) ≤ exact(p) ≤ key(p) · ratio      for every point within the radius.
///
/// So a key above the bound rules a point out, a key below bound/ratio rules it in, and only what falls between is
/// measured exactly. Two metrics exist: flat (near, fast) and spherical (any radius, any place).
protocol SearchMetric {
    /// Points with a greater key lie beyond the radius.
    var outerKey: Float { get }
    /// Points with at most this key lie within the radius.
    var innerKey: Float { get }
    /// The most by which the true measure exceeds a key.
    var ratio: Float { get }
    /// A key that is at most that of any place as far as `metres`, and its opposite.
    func keys(ofMetres metres: Double) -> (low: Float, high: Float)

    /// The least keys of the first `count` nodes in a group; all 16 slots may be written.
    func nearKeys(_ group: UnsafeRawPointer, count: Int, into keys: UnsafeMutablePointer<Float>)
    /// The greatest keys of the same.
    func farKeys(_ group: UnsafeRawPointer, count: Int, into keys: UnsafeMutablePointer<Float>)
    /// The keys of the first `count` points in a block; all 32 slots may be written.
    func pointKeys(_ block: UnsafeRawPointer, count: Int, into keys: UnsafeMutablePointer<Float>)
}

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

/// The haversine of the angle itself (0 … 1), for any radius and any place, poles and antimeridian included.
struct SphereMetric: SearchMetric {
    let outerKey: Float
    let innerKey: Float
    let ratio: Float = 1 + 2e-6
    private let centre: Coordinate
    private let cosine: Double
    /// A key is a float; rounded down by more than a float's last digit it is surely too small.
    private static let rounding = 5e-7

    init(centre: Coordinate, radiusMetres: Double) {
        self.centre = centre
        cosine = ArcE7.cosine(ofLatitude: centre.latitudeE7)
        outerKey = Float(Self.haversine(ofMetres: radiusMetres))
        innerKey = radiusMetres >= Distance.halfGirthMetres ? .infinity : outerKey * Float(1 - 4e-6)
    }

    func keys(ofMetres metres: Double) -> (low: Float, high: Float) {
        let key = Float(Self.haversine(ofMetres: metres))
        return (key * Float(1 - 4e-6), key * Float(1 + 4e-6))
    }

    private static func haversine(ofMetres metres: Double) -> Double {
        let half = min(metres / Distance.earthRadiusMetres, Double.pi) / 2
        return sin(half) * sin(half)
    }

    private static func key(_ haversine: Double) -> Float { Float(haversine * (1 - rounding)) }

    @inline(__always)
    func pointKeys(_ block: UnsafeRawPointer, count: Int, into keys: UnsafeMutablePointer<Float>) {
        let far = SnapshotLayout.blockPlaces * 4
        for lane in 0..<count {
            let latitude = unsafe block.loadUnaligned(fromByteOffset: lane * 4, as: Int32.self)
            let longitude = unsafe block.loadUnaligned(fromByteOffset: far + lane * 4, as: Int32.self)
            let apart = Int64((Int64(latitude) - Int64(centre.latitudeE7)).magnitude)
            let between = ArcE7.betweenMeridians(longitude, centre.longitudeE7)
            let cosines = cosine * ArcE7.cosine(ofLatitude: latitude)
            let h = Distance.haversine(latitudes: apart, meridians: between, cosines: cosines)
            unsafe keys[lane] = Self.key(h)
        }
    }

    func nearKeys(_ group: UnsafeRawPointer, count: Int, into keys: UnsafeMutablePointer<Float>) {
        for lane in 0..<count {
            let node = unsafe BlockBounds(group, lane)
            let up = max(0, Int64(node.south) - Int64(centre.latitudeE7), Int64(centre.latitudeE7) - Int64(node.north))
            let holdsMeridian = node.west <= centre.longitudeE7 && centre.longitudeE7 <= node.east
            let toWest = ArcE7.betweenMeridians(node.west, centre.longitudeE7)
            let toEast = ArcE7.betweenMeridians(node.east, centre.longitudeE7)
            let along = holdsMeridian ? 0 : min(toWest, toEast)
            let least = min(ArcE7.cosine(ofLatitude: node.south), ArcE7.cosine(ofLatitude: node.north))
            let h = Distance.haversine(latitudes: up, meridians: along, cosines: cosine * least)
            unsafe keys[lane] = Self.key(h)
        }
    }

    func farKeys(_ group: UnsafeRawPointer, count: Int, into keys: UnsafeMutablePointer<Float>) {
        for lane in 0..<count {
            let node = unsafe BlockBounds(group, lane)
            let toSouth = (Int64(node.south) - Int64(centre.latitudeE7)).magnitude
            let toNorth = (Int64(node.north) - Int64(centre.latitudeE7)).magnitude
            let along = farthestMeridian(node)
            let onEquator = node.south <= 0 && node.north >= 0
            let corners = max(ArcE7.cosine(ofLatitude: node.south), ArcE7.cosine(ofLatitude: node.north))
            let h = Distance.haversine(
                latitudes: Int64(max(toSouth, toNorth)), meridians: along, cosines: cosine * (onEquator ? 1 : corners))
            unsafe keys[lane] = Float(h * (1 + Self.rounding))
        }
    }

    /// 180° if the node holds the meridian opposite to the centre, else the farther of its edges.
    private func farthestMeridian(_ node: BlockBounds) -> Int64 {
        let half = Int64(Coordinate.halfTurnE7)
        let opposite = centre.longitudeE7 < 0 ? Int64(centre.longitudeE7) + half : Int64(centre.longitudeE7) - half
        if Int64(node.west) <= opposite, opposite <= Int64(node.east) { return half }
        let toWest = ArcE7.betweenMeridians(node.west, centre.longitudeE7)
        let toEast = ArcE7.betweenMeridians(node.east, centre.longitudeE7)
        return max(toWest, toEast)
    }
}

extension BlockBounds {
    /// Reads a node of a group.
    @inline(__always)
    init(_ group: UnsafeRawPointer, _ lane: Int) {
        south = unsafe group.loadUnaligned(fromByteOffset: lane * 4, as: Int32.self)
        north = unsafe group.loadUnaligned(fromByteOffset: 64 + lane * 4, as: Int32.self)
        west = unsafe group.loadUnaligned(fromByteOffset: 128 + lane * 4, as: Int32.self)
        east = unsafe group.loadUnaligned(fromByteOffset: 192 + lane * 4, as: Int32.self)
    }
}
