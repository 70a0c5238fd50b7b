import Geo
import Refusals

/// A pin to be created, already validated.
struct PinDraft: Equatable, Sendable {
    /// The longest name, in Unicode scalars.
    static let nameLimit = 200

    let position: Coordinate
    /// Radius of the pin's search in metres.
    let radiusMetres: Double
    /// Nil when none was given.
    let name: String?

    /// White space around the name is removed. Control characters are refused: a name is one line of text.
    init(position: Coordinate, radiusMetres: Double, name: String) throws(Refusal) {
        self.position = position
        self.radiusMetres = radiusMetres
        self.name = try Self.checked(name: name)
    }

    private static let endsLine: Set<Unicode.GeneralCategory> = [.control, .lineSeparator, .paragraphSeparator]

    /// A name without white space around it; nil when nothing visible is left.
    static func checked(name given: String) throws(Refusal) -> String? {
        let scalars = given.unicodeScalars
        guard scalars.contains(where: { !$0.properties.isWhitespace && !$0.properties.isDefaultIgnorableCodePoint }),
            let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
            let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
        else { return nil }
        let name = scalars[first...last]
        guard name.count <= nameLimit else {
            throw Refusal("name", name.count, "characters", allowed: "at most \(nameLimit) are")
        }
        guard !name.contains(where: { endsLine.contains($0.properties.generalCategory) }) else {
            throw Refusal("name", "a control character or a line's end", allowed: "one line of text is")
        }
        return String(name)
    }
}

/// The new position of a pin, already validated.
struct PinMove: Equatable, Sendable {
    let position: Coordinate
    /// In metres; nil keeps the current radius.
    let radiusMetres: Double?
    /// Whether to search again even if nothing else changes.
    let isForced: Bool
}

/// The extent of what a map shows.
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

    /// Takes numbers that were validated before.
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

/// The area that a map shows.
struct MapRegion: Equatable, Sendable {
    let centre: Coordinate
    let span: MapSpan
}
