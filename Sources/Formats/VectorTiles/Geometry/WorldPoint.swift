import Glibc

/// A point of the square that Web Mercator (EPSG:3857) makes of the world: from 0 in the west and in the north to 1 in
/// the east and in the south.
package struct WorldPoint: Hashable, Sendable {
    /// The square ends there, in degrees.
    private static let lastLatitude = 85.051128779806604

    package var x: Double
    package var y: Double

    package init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }

    /// In degrees. What is nearer to a pole than the square is put on its edge.
    package init(latitude: Double, longitude: Double) {
        let sine = sin(min(max(latitude, -Self.lastLatitude), Self.lastLatitude) * .pi / 180)
        x = longitude / 360 + 0.5
        y = 0.5 - log((1 + sine) / (1 - sine)) / (4 * .pi)
    }

    /// Degrees north.
    package var latitude: Double { atan(sinh(.pi * (1 - 2 * y))) * 180 / .pi }
    /// Degrees east.
    package var longitude: Double { (x - 0.5) * 360 }
}

/// A rectangle of that square.
package struct WorldBox: Hashable, Sendable {
    package var west: Double
    package var north: Double
    package var east: Double
    package var south: Double

    package init(west: Double, north: Double, east: Double, south: Double) {
        self.west = west
        self.north = north
        self.east = east
        self.south = south
    }

    /// The smallest one around points; nil without any.
    package init?(around points: some Sequence<WorldPoint>) {
        var box: WorldBox?
        for point in points {
            let own = WorldBox(west: point.x, north: point.y, east: point.x, south: point.y)
            box = box?.union(point) ?? own
        }
        guard let box else { return nil }
        self = box
    }

    /// The smallest box around this one and a point.
    package func union(_ point: WorldPoint) -> WorldBox {
        WorldBox(
            west: min(west, point.x), north: min(north, point.y), east: max(east, point.x), south: max(south, point.y))
    }

    /// The smallest box around this one and another one.
    package func union(_ other: WorldBox) -> WorldBox {
        WorldBox(
            west: min(west, other.west), north: min(north, other.north), east: max(east, other.east),
            south: max(south, other.south))
    }

    package func contains(_ point: WorldPoint) -> Bool {
        point.x >= west && point.x <= east && point.y >= north && point.y <= south
    }

    package func contains(_ other: WorldBox) -> Bool {
        other.west >= west && other.east <= east && other.north >= north && other.south <= south
    }

    package func meets(_ other: WorldBox) -> Bool {
        other.west <= east && west <= other.east && other.north <= south && north <= other.south
    }

    /// What lies in both; of boxes that don't meet, one with a negative side.
    package func common(_ other: WorldBox) -> WorldBox {
        WorldBox(
            west: max(west, other.west), north: max(north, other.north), east: min(east, other.east),
            south: min(south, other.south))
    }

    /// So much larger on each side.
    package func grown(by margin: Double) -> WorldBox {
        WorldBox(west: west - margin, north: north - margin, east: east + margin, south: south + margin)
    }
}
