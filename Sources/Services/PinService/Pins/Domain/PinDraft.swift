import PinContracts
import FieldRules
import Geo

/// A pin to be created, already validated.
struct PinDraft: Equatable, Sendable {
    let position: Geo.Coordinate
    /// Radius of the pin's search in metres.
    let radiusMetres: Double
    /// Nil when none was given.
    let name: String?

    /// A name without white space around it; nil when nothing visible is left.
    static func name(_ given: String) -> String? {
        let line = FieldText.line(given)
        return line.isEmpty ? nil : line
    }

    /// A name that is known of a place; nil when no pin may be called so.
    static func found(name: String) -> String? { Self.name(FieldRule.line(name, length: CreatePinRequest.nameLength)) }
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

    init(_ latitudeDelta: Double, _ longitudeDelta: Double) {
        self.latitudeDelta = latitudeDelta
        self.longitudeDelta = longitudeDelta
    }
}

/// The area that a map shows.
struct MapRegion: Equatable, Sendable {
    let centre: Geo.Coordinate
    let span: MapSpan
}
