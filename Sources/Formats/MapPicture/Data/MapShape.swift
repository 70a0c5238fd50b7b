/// A point, a line or an area of the map's data.
struct MapShape: Sendable {
    /// What is said of some.
    struct Facts: Sendable {
        /// The number of a road.
        var number = ""
        var way = Way.ground
        /// Whether one may drive in the direction of the line only.
        var isOneWay = false
        /// Metres, of a peak.
        var height: Double?
        /// How many people live there.
        var population = 0.0
        /// The zoom level of the web's map from which on a town of the world has its name.
        var from = 0.0
    }

    /// Where a street runs.
    enum Way: Sendable { case tunnel, ground, bridge }

    /// "land", "lakes", "coasts" or "borders" in the world's tiles, others in those of datasets.
    let layer: String
    /// The kind of a street or a park; may be empty.
    let kind: String
    /// May be empty.
    let name: String
    let facts: Facts
    let isArea: Bool
    /// Closed rings, lines, or single points. Of an area the outer one runs counterclockwise, its holes clockwise, so
    /// that overlapping areas can be filled as one.
    let rings: [[MapPoint]]
    let box: MapBox

    /// Nil without any line.
    init?(
        layer: String, kind: String, name: String, isArea: Bool, rings: [[MapPoint]], facts: Facts = Facts()
    ) {
        guard let box = MapBox(around: rings.joined()) else { return nil }
        self.layer = layer
        self.kind = kind
        self.name = name
        self.facts = facts
        self.isArea = isArea
        self.rings = isArea ? Self.directed(rings) : rings
        self.box = box
    }

    /// Whether a point is in the area, which may go on beyond the antimeridian.
    func contains(_ point: MapPoint) -> Bool {
        guard isArea, box.contains(point) else { return false }
        return [-360.0, 0, 360].contains { turn in
            surrounds(MapPoint(longitude: point.longitude + turn, latitude: point.latitude))
        }
    }

    /// A line from the point due east crosses the rings an odd number of times.
    private func surrounds(_ point: MapPoint) -> Bool {
        var isIn = false
        for ring in rings {
            for (a, b) in zip(ring, ring.dropFirst())
            where (a.latitude > point.latitude) != (b.latitude > point.latitude) {
                let share = (point.latitude - a.latitude) / (b.latitude - a.latitude)
                if a.longitude + share * (b.longitude - a.longitude) > point.longitude { isIn.toggle() }
            }
        }
        return isIn
    }

    private static func directed(_ rings: [[MapPoint]]) -> [[MapPoint]] {
        rings.enumerated().map { index, ring in
            let isCounterclockwise = twiceArea(ring) > 0
            return isCounterclockwise == (index == 0) ? ring : ring.reversed()
        }
    }

    /// Positive when it runs counterclockwise.
    private static func twiceArea(_ ring: [MapPoint]) -> Double {
        zip(ring, ring.dropFirst()).reduce(0) { sum, step in
            sum + step.0.longitude * step.1.latitude - step.1.longitude * step.0.latitude
        }
    }
}

extension MapShape {
    /// The data of land ends where Web Mercator does, at 85.05 degrees south; in truth it goes on to the pole.
    private static let southEnd = -85.05

    /// The land around the South Pole that the data does not have.
    static let southPole: MapShape? = {
        let around = stride(from: -180.0, through: 180, by: 5)
        let ring =
            around.map { MapPoint(longitude: $0, latitude: -90) }
            + around.reversed().map { MapPoint(longitude: $0, latitude: southEnd) }
        return MapShape(
            layer: "land", kind: "", name: "", isArea: true,
            rings: [ring + [MapPoint(longitude: -180, latitude: -90)]])
    }()
}
