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
