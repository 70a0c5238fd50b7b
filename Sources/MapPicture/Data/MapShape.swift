/// A line or an area of the map's data.
struct MapShape: Sendable {
    /// "land", "lakes" or "borders", where a file has several of them.
    let layer: String
    /// The kind of a street or a park; may be empty.
    let kind: String
    /// May be empty.
    let name: String
    let isArea: Bool
    /// Closed rings, or lines. Of an area the outer one runs counterclockwise, its holes clockwise, so that overlapping
    /// areas can be filled as one.
    let rings: [[MapPoint]]
    let box: MapBox

    /// Nil without any line.
    init?(layer: String, kind: String, name: String, isArea: Bool, rings: [[MapPoint]]) {
        guard let box = MapBox(around: rings.joined()) else { return nil }
        self.layer = layer
        self.kind = kind
        self.name = name
        self.isArea = isArea
        self.rings = isArea ? Self.directed(rings) : rings
        self.box = box
    }

    /// Whether a point is in the area: a line from it due east crosses the rings an odd number of times.
    func contains(_ point: MapPoint) -> Bool {
        guard isArea, box.contains(point) else { return false }
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
    /// The data of land ends where Web Mercator does, at 85.06 degrees south; in truth it goes on to the pole.
    static let southEnd = -85.05

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

/// Where data was cut, as no coast of the world runs: at the antimeridian, near the South Pole, at the edge of a cell.
struct CutLines: Sendable {
    private let longitudes: [Double]
    private let latitudes: [Double]

    /// Of data that covers the world.
    static let ofWorld = CutLines(longitudes: [-180, 180], latitudes: [])

    /// Of a cell, which goes on half a degree beyond its edge.
    static func ofCell(_ box: MapBox) -> CutLines {
        CutLines(
            longitudes: [box.west - 0.5, box.east + 0.5, -180, 180],
            latitudes: [box.south - 0.5, box.north + 0.5])
    }

    /// A ring without the steps that are cuts.
    func coasts(of ring: [MapPoint]) -> [[MapPoint]] {
        guard zip(ring, ring.dropFirst()).contains(where: isCut) else { return [ring] }
        var (coasts, coast): ([[MapPoint]], [MapPoint]) = ([], [])
        for (a, b) in zip(ring, ring.dropFirst()) {
            if isCut(a, b) {
                if !coast.isEmpty { coasts.append(coast) }
                coast = []
            } else {
                coast = (coast.isEmpty ? [a] : coast) + [b]
            }
        }
        return coast.isEmpty ? coasts : coasts + [coast]
    }

    private func isCut(_ a: MapPoint, _ b: MapPoint) -> Bool {
        a.longitude == b.longitude && longitudes.contains(a.longitude)
            || a.latitude == b.latitude && latitudes.contains(a.latitude)
            || max(a.latitude, b.latitude) <= MapShape.southEnd
    }
}
