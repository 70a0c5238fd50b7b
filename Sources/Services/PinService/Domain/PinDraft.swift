import Contracts
import Geo
import Refusals
import Requests

/// A pin to be created, already validated.
struct PinDraft: Equatable, Sendable {
    let position: Geo.Coordinate
    /// Radius of the pin's search in metres.
    let radiusMetres: Double
    /// Nil when none was given.
    let name: String?

    /// White space around the name is removed. Control characters are refused: a name is one line of text.
    init(position: Geo.Coordinate, radiusMetres: Double, name: String) throws(Refusal) {
        self.position = position
        self.radiusMetres = radiusMetres
        self.name = try Self.checked(name: name)
    }

    /// A name without white space around it; nil when nothing visible is left.
    static func checked(name given: String) throws(Refusal) -> String? {
        try TextLine.checked(given, "name", most: CreatePinRequest.nameLength.upperBound)
    }
}

/// The new position of a pin, already validated.
struct PinMove: Equatable, Sendable {
    let position: Geo.Coordinate
    /// In metres; nil keeps the current radius.
    let radiusMetres: Double?
    /// Whether to search again even if nothing else changes.
    let isForced: Bool
}

/// The extent of what a map shows.
struct MapSpan: Equatable, Sendable {
    /// Degrees from south to north, from 1e-7 to 180.
    let latitudeDelta: Double
    /// Degrees from west to east, from 1e-7 to 360.
    let longitudeDelta: Double

    /// `field` is the path of the message, for the error.
    init(latitudeDelta: Double, longitudeDelta: Double, field: String) throws(Refusal) {
        try Self.check(latitudeDelta, in: Span.latitudeDeltaRange, "\(field).latitude_delta")
        try Self.check(longitudeDelta, in: Span.longitudeDeltaRange, "\(field).longitude_delta")
        self.init(latitudeDelta, longitudeDelta)
    }

    /// Takes numbers that were validated before.
    init(_ latitudeDelta: Double, _ longitudeDelta: Double) {
        self.latitudeDelta = latitudeDelta
        self.longitudeDelta = longitudeDelta
    }

    private static func check(
        _ degrees: Double, in range: ClosedRange<Double>, _ field: String
    ) throws(Refusal) {
        guard range.contains(degrees) else {
            throw Refusal(field, degrees, allowed: "\(range.lowerBound) to \(Int(range.upperBound)) degrees are")
        }
    }
}

/// The area that a map shows.
struct MapRegion: Equatable, Sendable {
    let centre: Geo.Coordinate
    let span: MapSpan
}
