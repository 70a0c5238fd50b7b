/// A point of the map's data, WGS 84.
package struct MapPoint: Equatable, Sendable {
    /// Degrees east, -180 to 180.
    package let longitude: Double
    /// Degrees north, -90 to 90.
    package let latitude: Double

    package init(longitude: Double, latitude: Double) {
        self.longitude = longitude
        self.latitude = latitude
    }

    /// The point half way in the map's own coordinates, in which a line between two points is straight.
    func middle(to other: MapPoint) -> MapPoint {
        MapPoint(longitude: (longitude + other.longitude) / 2, latitude: (latitude + other.latitude) / 2)
    }
}

/// A box of degrees. One that crosses the antimeridian goes on beyond 180 or -180 degrees.
struct MapBox: Equatable, Sendable {
    var west: Double
    var south: Double
    var east: Double
    var north: Double

    static let world = MapBox(west: -180, south: -90, east: 180, north: 90)

    init(west: Double, south: Double, east: Double, north: Double) {
        self.west = west
        self.south = south
        self.east = east
        self.north = north
    }

    /// The smallest one around points; nil without any.
    init?(around points: some Sequence<MapPoint>) {
        var iterator = points.makeIterator()
        guard let first = iterator.next() else { return nil }
        self.init(west: first.longitude, south: first.latitude, east: first.longitude, north: first.latitude)
        while let point = iterator.next() {
            west = min(west, point.longitude)
            east = max(east, point.longitude)
            south = min(south, point.latitude)
            north = max(north, point.latitude)
        }
    }

    /// Whether they have a point in common, on the globe.
    func meets(_ other: MapBox) -> Bool {
        guard south <= other.north, other.south <= north else { return false }
        func meets(_ turn: Double) -> Bool { west <= other.east + turn && other.west + turn <= east }
        return meets(0) || meets(-360) || meets(360)
    }

    func contains(_ point: MapPoint) -> Bool {
        guard south <= point.latitude, point.latitude <= north else { return false }
        func spans(_ longitude: Double) -> Bool { west <= longitude && longitude <= east }
        return spans(point.longitude) || spans(point.longitude - 360) || spans(point.longitude + 360)
    }

    var centre: MapPoint { MapPoint(longitude: (west + east) / 2, latitude: (south + north) / 2) }
}
