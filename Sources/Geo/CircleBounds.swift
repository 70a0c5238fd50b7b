internal import Glibc

/// A box that holds a whole circle on the sphere, with a little room for rounding.
struct CircleBounds {
    let box: Box

    init(centre: Coordinate, radiusMetres: Double) {
        let angle = min(max(radiusMetres, 0) / Distance.earthRadiusMetres, Double.pi)
        // Three units (3 cm) of room: the radius is a floating-point number, the edges are whole units.
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
        // A steep arc sine multiplies the rounding of the ratio, hence a relative part of the room.
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
