import Geo

/// A pin that is to be made, known to be allowed.
struct PinDraft: Equatable, Sendable {
    /// Radius of a pin's search in metres.
    static let radiusRange = 50.0...20_000.0
    static let defaultRadius = 1_000.0
    /// The longest name, in Unicode scalars.
    static let nameLimit = 200

    let position: Coordinate
    /// In metres.
    let radiusMetres: Double
    /// Nil when none was given.
    let name: String?

    /// White space around the name is left out. Control characters are refused: a name is one line of text.
    init(position: Coordinate, radiusMetres: Double?, name: String) throws(PinError) {
        self.position = position
        self.radiusMetres = radiusMetres ?? Self.defaultRadius
        self.name = try Self.checked(name: name)
        try Self.check(radiusMetres: self.radiusMetres)
    }

    static func check(radiusMetres: Double) throws(PinError) {
        guard radiusRange.contains(radiusMetres) else {
            throw .invalid(field: "radius_m", "\(radiusMetres) is given, 50 to 20,000 metres are allowed")
        }
    }

    private static let endsLine: Set<Unicode.GeneralCategory> = [.control, .lineSeparator, .paragraphSeparator]

    /// A name without white space around it; nil when nothing is left that can be seen.
    static func checked(name given: String) throws(PinError) -> String? {
        let scalars = given.unicodeScalars
        guard scalars.contains(where: { !$0.properties.isWhitespace && !$0.properties.isDefaultIgnorableCodePoint }),
            let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
            let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
        else { return nil }
        let name = scalars[first...last]
        guard name.count <= nameLimit else {
            throw .invalid(field: "name", "\(name.count) characters are given, at most \(nameLimit) are allowed")
        }
        guard !name.contains(where: { endsLine.contains($0.properties.generalCategory) }) else {
            throw .invalid(field: "name", "it holds a control character or a line's end; one line of text is allowed")
        }
        return String(name)
    }
}

/// Where a pin is to go, known to be allowed.
struct PinMove: Equatable, Sendable {
    let position: Coordinate
    /// In metres; nil leaves it as it is.
    let radiusMetres: Double?
    /// Whether to search anew also when nothing else is another.
    let isForced: Bool

    init(position: Coordinate, radiusMetres: Double?, isForced: Bool) throws(PinError) {
        self.position = position
        self.radiusMetres = radiusMetres
        self.isForced = isForced
        if let radiusMetres { try PinDraft.check(radiusMetres: radiusMetres) }
    }
}

/// How much a map shows.
struct MapSpan: Equatable, Sendable {
    /// Degrees from south to north, above 0 and up to 180.
    let latitudeDelta: Double
    /// Degrees from west to east, above 0 and up to 360.
    let longitudeDelta: Double

    /// `field` is the path of the message, for the error.
    init(latitudeDelta: Double, longitudeDelta: Double, field: String) throws(PinError) {
        try Self.check(latitudeDelta, upTo: 180, "\(field).latitude_delta")
        try Self.check(longitudeDelta, upTo: 360, "\(field).longitude_delta")
        self.init(latitudeDelta, longitudeDelta)
    }

    /// Takes numbers that were checked before.
    init(_ latitudeDelta: Double, _ longitudeDelta: Double) {
        self.latitudeDelta = latitudeDelta
        self.longitudeDelta = longitudeDelta
    }

    private static func check(_ degrees: Double, upTo most: Double, _ field: String) throws(PinError) {
        guard degrees > 0, degrees <= most else {
            throw .invalid(field: field, "\(degrees) is given, degrees above 0 and up to \(Int(most)) are allowed")
        }
    }
}

/// What a map shows.
struct MapRegion: Equatable, Sendable {
    let centre: Coordinate
    let span: MapSpan
}

/// Why a pin can't be had or made.
enum PinError: Error, Equatable {
    /// A field holds what is not allowed; the sentence names the value and what is allowed.
    case invalid(field: String, String)
    /// The account has no such pin.
    case notFound(PinID)
}
