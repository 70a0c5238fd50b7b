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

    /// Whether the point lies in the box or on its edge.
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
