/// A point of an outline, in 1e-7 degrees.
package struct AreaPoint: Hashable, Sendable, BitwiseCopyable {
    package let latitude: Int32
    /// -1 800 000 000 … 1 800 000 000: both ends are the antimeridian.
    package let longitude: Int32

    package init(latitude: Int32, longitude: Int32) {
        self.latitude = latitude
        self.longitude = longitude
    }

    package init(_ position: Coordinate) {
        self.init(latitude: position.latitudeE7, longitude: position.longitudeE7)
    }

    static let quarter: Int32 = 900_000_000
    static let halfTurn: Int32 = 1_800_000_000

    var isOnEarth: Bool { latitude.magnitude <= 900_000_000 && longitude.magnitude <= 1_800_000_000 }
}

/// A rectangle of the plane of latitude and longitude, in 1e-7 degrees; it never crosses the antimeridian.
package struct AreaBox: Hashable, Sendable, BitwiseCopyable {
    package var south = Int32.max
    package var west = Int32.max
    package var north = Int32.min
    package var east = Int32.min

    /// Of nothing.
    package init() {}

    init(south: Int32, west: Int32, north: Int32, east: Int32) {
        (self.south, self.west, self.north, self.east) = (south, west, north, east)
    }

    static let world = AreaBox(
        south: -AreaPoint.quarter, west: -AreaPoint.halfTurn, north: AreaPoint.quarter, east: AreaPoint.halfTurn)

    package init(_ points: some Sequence<AreaPoint>) {
        for point in points { add(point) }
    }

    mutating func add(_ point: AreaPoint) {
        south = min(south, point.latitude)
        north = max(north, point.latitude)
        west = min(west, point.longitude)
        east = max(east, point.longitude)
    }

    mutating func add(_ other: AreaBox) {
        south = min(south, other.south)
        north = max(north, other.north)
        west = min(west, other.west)
        east = max(east, other.east)
    }

    func contains(_ point: AreaPoint) -> Bool {
        south <= point.latitude && point.latitude <= north && west <= point.longitude && point.longitude <= east
    }

    func meets(_ other: AreaBox) -> Bool {
        south <= other.north && other.south <= north && west <= other.east && other.west <= east
    }

    /// How large it is on the plane, in square degrees times 1e14; 0 for nothing.
    var size: Double {
        south > north ? 0 : Double(Int64(north) - Int64(south)) * Double(Int64(east) - Int64(west))
    }

    /// Its middle; nil of nothing.
    package var centre: Coordinate? {
        guard south <= north else { return nil }
        let (latitude, longitude) = (Int64(south) + Int64(north), Int64(west) + Int64(east))
        return try? Coordinate(latitudeE7: Int32(latitude / 2), longitudeE7: Int32(longitude / 2))
    }

    /// The same as edges in degrees; nil of nothing, and where it is wider than half of the Earth: what lies on both
    /// sides of the antimeridian has no box that says so.
    package var bounds: Box? {
        guard south <= north, Int64(east) - Int64(west) < Int64(AreaPoint.halfTurn) else { return nil }
        return Box(southE7: south, westE7: west, northE7: north, eastE7: east)
    }

    /// Whether it holds a position, or that is at most so many metres away from it; it may be a little more.
    package func holds(_ position: Coordinate, within metres: Double = 0) -> Bool {
        guard metres > 0 else { return contains(AreaPoint(position)) }
        let up = Int64(metres / Self.metresOfUnit)
        let wide = position.latitude.magnitude < 85 ? up * 12 : Int64(AreaPoint.halfTurn) * 2
        let (latitude, longitude) = (Int64(position.latitudeE7), Int64(position.longitudeE7))
        return Int64(south) - up <= latitude && latitude <= Int64(north) + up && Int64(west) - wide <= longitude
            && longitude <= Int64(east) + wide
    }

    private static let metresOfUnit = 0.011

    /// How far its farthest corner is from a position, in metres; nil where it is wider than half of the Earth.
    package func reach(from position: Coordinate) -> Double? {
        guard south <= north, Int64(east) - Int64(west) < Int64(AreaPoint.halfTurn) else { return nil }
        let corners = [south, north].flatMap { latitude in [west, east].map { (latitude, $0) } }
        return corners.compactMap { try? Coordinate(latitudeE7: $0, longitudeE7: $1) }.map { position.metres(to: $0) }
            .max()
    }
}
