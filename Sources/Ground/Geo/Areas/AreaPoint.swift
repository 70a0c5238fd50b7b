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
}
