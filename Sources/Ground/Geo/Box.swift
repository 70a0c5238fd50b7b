internal import Glibc

/// A rectangle of latitudes and longitudes, edges included. `west` greater than `east` means that it crosses the
/// antimeridian. A pole lies in every box that reaches its latitude, whatever the longitudes.
package struct Box: Hashable, Sendable {
    /// Edges in 1e-7 degrees; -180° and 180° are one meridian, `eastE7` may be 1 800 000 000.
    package let southE7: Int32
    package let westE7: Int32
    package let northE7: Int32
    package let eastE7: Int32

    /// A box from degrees. Refuses edges outside of the Earth and a south edge above the north edge.
    package init(south: Double, west: Double, north: Double, east: Double) throws(GeoError) {
        let southE7 = try Coordinate.rounded(south, limit: 90, field: "south")
        let northE7 = try Coordinate.rounded(north, limit: 90, field: "north")
        guard southE7 <= northE7 else {
            throw .outOfRange(field: "south", value: "\(south)", allowed: "at most north, \(north), is")
        }
        let westE7 = try Coordinate.rounded(west, limit: 180, field: "west")
        let eastE7 = try Coordinate.rounded(east, limit: 180, field: "east")
        self.init(southE7: southE7, westE7: westE7, northE7: northE7, eastE7: eastE7)
    }

    init(southE7: Int32, westE7: Int32, northE7: Int32, eastE7: Int32) {
        self.southE7 = southE7
        self.northE7 = northE7
        self.westE7 = Coordinate.oneMeridian(westE7)
        self.eastE7 = westE7 == Coordinate.halfTurnE7 ? Coordinate.oneMeridian(eastE7) : eastE7
    }

    /// All of the Earth.
    package static let world = Box(
        southE7: -Coordinate.quarterE7, westE7: -Coordinate.halfTurnE7,
        northE7: Coordinate.quarterE7, eastE7: Coordinate.halfTurnE7)

    /// Edges in degrees.
    package var south: Double { Double(southE7) / 1e7 }
    package var west: Double { Double(westE7) / 1e7 }
    package var north: Double { Double(northE7) / 1e7 }
    package var east: Double { Double(eastE7) / 1e7 }

    /// Whether the box goes over the 180° meridian.
    package var crossesAntimeridian: Bool { westE7 > eastE7 }

    /// Whether the point is in the box or on its edge.
    package func contains(_ point: Coordinate) -> Bool {
        guard southE7 <= point.latitudeE7, point.latitudeE7 <= northE7 else { return false }
        return point.latitudeE7.magnitude == Coordinate.quarterE7.magnitude || containsMeridian(point.longitudeE7)
    }

    /// The point midway between the edges.
    package var centre: Coordinate {
        let latitude = (Int64(southE7) + Int64(northE7)) / 2
        var longitude = Int64(westE7) + widthE7 / 2
        if longitude >= Int64(Coordinate.halfTurnE7) { longitude -= ArcE7.fullTurn }
        return Coordinate(uncheckedLatitudeE7: Int32(latitude), longitudeE7: Int32(longitude))
    }

    /// From the west edge eastwards to the east edge, 0 … 360°.
    var widthE7: Int64 {
        let width = Int64(eastE7) - Int64(westE7)
        return width < 0 ? width + ArcE7.fullTurn : width
    }

    func containsMeridian(_ longitudeE7: Int32) -> Bool {
        if crossesAntimeridian { return longitudeE7 >= westE7 || longitudeE7 <= eastE7 }
        if westE7 <= longitudeE7, longitudeE7 <= eastE7 { return true }
        return longitudeE7 == -Coordinate.halfTurnE7 && eastE7 == Coordinate.halfTurnE7
    }
}

extension Box {
    /// The smallest box around all points, or nil for none. The longitudes leave out the widest gap between two
    /// neighbouring meridians; points at a pole only count with their latitude.
    package init?(around points: some Sequence<Coordinate>) {
        var south = Int32.max
        var north = Int32.min
        var meridians: [Int32] = []
        var poleMeridian: Int32 = 0
        for point in points {
            south = min(south, point.latitudeE7)
            north = max(north, point.latitudeE7)
            let isPole = point.latitudeE7.magnitude == Coordinate.quarterE7.magnitude
            if isPole { poleMeridian = point.longitudeE7 } else { meridians.append(point.longitudeE7) }
        }
        guard south <= north else { return nil }
        let (west, east) = Self.smallestSpan(of: meridians.isEmpty ? [poleMeridian] : meridians)
        self.init(southE7: south, westE7: west, northE7: north, eastE7: east)
    }

    /// The shortest arc of meridians that contains all of the given ones; of equal arcs the one that does not cross the
    /// antimeridian, else the westernmost gap is left out.
    private static func smallestSpan(of meridians: [Int32]) -> (west: Int32, east: Int32) {
        let sorted = meridians.sorted()
        var best = (west: sorted[0], east: sorted[sorted.count - 1])
        var widest = ArcE7.fullTurn - (Int64(best.east) - Int64(best.west))
        for (left, right) in zip(sorted, sorted.dropFirst()) where Int64(right) - Int64(left) > widest {
            widest = Int64(right) - Int64(left)
            best = (west: right, east: left)
        }
        return best
    }
}

/// A box that contains a whole circle on the sphere, with a small margin for rounding.
struct CircleBounds {
    let box: Box

    init(centre: Coordinate, radiusMetres: Double) {
        let angle = min(max(radiusMetres, 0) / Distance.earthRadiusMetres, Double.pi)
        // A margin of three units (3 cm): the radius is a floating-point number, the edges are whole units.
        let reach = Int64((angle / ArcE7.radiansPerUnit).rounded(.up)) + 3
        let south = Int64(centre.latitudeE7) - reach
        let north = Int64(centre.latitudeE7) + reach
        let quarter = Int64(Coordinate.quarterE7)
        guard -quarter < south, north < quarter else {
            box = Self.wholeBelt(south: max(south, -quarter), north: min(north, quarter))
            return
        }
        box = Self.belt(south, north, around: centre, angle: angle)
    }

    private static func wholeBelt(south: Int64, north: Int64) -> Box {
        Box(
            southE7: Int32(south), westE7: -Coordinate.halfTurnE7, northE7: Int32(north), eastE7: Coordinate.halfTurnE7)
    }

    /// The circle's widest meridians lie asin(sin r / cos φ) from its centre.
    private static func belt(_ south: Int64, _ north: Int64, around centre: Coordinate, angle: Double) -> Box {
        let ratio = sin(angle) / ArcE7.cosine(ofLatitude: centre.latitudeE7)
        guard ratio < 1 else { return wholeBelt(south: south, north: north) }
        // A steep arc sine multiplies the rounding of the ratio, hence a relative part of the margin.
        let wide = (asin(ratio) / ArcE7.radiansPerUnit) * (1 + 1e-6) + 3
        guard wide < Double(Coordinate.halfTurnE7) else { return wholeBelt(south: south, north: north) }
        let reach = Int64(wide.rounded(.up))
        let west = wrapped(Int64(centre.longitudeE7) - reach)
        let east = wrapped(Int64(centre.longitudeE7) + reach)
        return Box(southE7: Int32(south), westE7: west, northE7: Int32(north), eastE7: east)
    }

    private static func wrapped(_ longitude: Int64) -> Int32 {
        let half = Int64(Coordinate.halfTurnE7)
        if longitude < -half { return Int32(longitude + ArcE7.fullTurn) }
        if longitude >= half { return Int32(longitude - ArcE7.fullTurn) }
        return Int32(longitude)
    }
}
