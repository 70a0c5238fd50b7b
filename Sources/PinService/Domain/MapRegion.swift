import Geo
import Refusals

/// How much a map shows.
struct MapSpan: Equatable, Sendable {
    /// Degrees from south to north, above 0 and up to 180.
    let latitudeDelta: Double
    /// Degrees from west to east, above 0 and up to 360.
    let longitudeDelta: Double

    /// `field` is the path of the message, for the error.
    init(latitudeDelta: Double, longitudeDelta: Double, field: String) throws(Refusal) {
        try Self.check(latitudeDelta, upTo: 180, "\(field).latitude_delta")
        try Self.check(longitudeDelta, upTo: 360, "\(field).longitude_delta")
        self.init(latitudeDelta, longitudeDelta)
    }

    /// Takes numbers that were checked before.
    init(_ latitudeDelta: Double, _ longitudeDelta: Double) {
        self.latitudeDelta = latitudeDelta
        self.longitudeDelta = longitudeDelta
    }

    private static func check(_ degrees: Double, upTo most: Double, _ field: String) throws(Refusal) {
        guard degrees > 0, degrees <= most else {
            throw Refusal(field, degrees, allowed: "degrees above 0 and up to \(Int(most)) are")
        }
    }
}

/// What a map shows.
struct MapRegion: Equatable, Sendable {
    let centre: Coordinate
    let span: MapSpan
}
