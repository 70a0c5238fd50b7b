import Geo

/// A position as people write it, or copy it from elsewhere.
enum WrittenPosition: Equatable {
    case point(Geo.Coordinate)
    /// A plus code without its beginning, and the text that says near what it is; empty for near the map.
    case shortCode(PlusCode, near: String)

    /// Longer texts are not looked at.
    private static let longest = 2000

    /// Nil for a text that is no position.
    init?(_ text: String) {
        let text = text.trimmingBlanks
        guard text.utf8.count <= Self.longest else { return nil }
        if let point = GeoURI.point(text) ?? MapLink.point(text) ?? DegreesText.point(text) {
            self = .point(point)
            return
        }
        guard let (code, rest) = PlusCode.find(in: text) else { return nil }
        if let point = code.point { self = .point(point) } else { self = .shortCode(code, near: rest) }
    }
}

/// Two decimal numbers as they stand in URLs.
enum NumberPair {
    /// "60.1699,24.9384", with anything behind that is no part of a number. Nil for what is not on the Earth.
    static func point(_ text: some StringProtocol, separator: Character = ",") -> Geo.Coordinate? {
        guard let end = text.firstIndex(of: separator), let latitude = number(text[..<end]) else { return nil }
        let rest = text[text.index(after: end)...]
        guard let longitude = number(rest.prefix { $0.isASCII && ($0.isNumber || "+-.".contains($0)) }) else {
            return nil
        }
        return try? Geo.Coordinate(latitude: latitude, longitude: longitude)
    }

    /// A number with an optional sign and decimals, nothing else.
    static func number(_ text: some StringProtocol) -> Double? {
        guard (1...40).contains(text.utf8.count), text.utf8.contains(where: { (48...57).contains($0) }),
            text.utf8.allSatisfy({ (48...57).contains($0) || $0 == 43 || $0 == 45 || $0 == 46 })
        else { return nil }
        return Double(String(text))
    }
}

extension String {
    /// Without white space at both ends.
    var trimmingBlanks: String {
        let end = unicodeScalars.lastIndex { !$0.properties.isWhitespace }
        guard let start = unicodeScalars.firstIndex(where: { !$0.properties.isWhitespace }), let end else { return "" }
        return String(unicodeScalars[start...end])
    }
}
