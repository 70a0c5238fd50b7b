internal import Glibc

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
