package import Geo

/// Two decimal numbers as they stand in URLs.
package enum NumberPair {
    /// "60.1699,24.9384", with anything behind that is no part of a number. Nil for what is not on the Earth.
    package static func point(_ text: some StringProtocol, separator: Character = ",") -> Geo.Coordinate? {
        guard let end = text.firstIndex(of: separator), let latitude = number(text[..<end]) else { return nil }
        let rest = text[text.index(after: end)...]
        guard let longitude = number(rest.prefix { $0.isASCII && ($0.isNumber || "+-.".contains($0)) }) else {
            return nil
        }
        return try? Geo.Coordinate(latitude: latitude, longitude: longitude)
    }

    /// A number with an optional sign and decimals, nothing else.
    package static func number(_ text: some StringProtocol) -> Double? {
        guard (1...40).contains(text.utf8.count), text.utf8.contains(where: { (48...57).contains($0) }),
            text.utf8.allSatisfy({ (48...57).contains($0) || $0 == 43 || $0 == 45 || $0 == 46 })
        else { return nil }
        return Double(String(text))
    }
}
