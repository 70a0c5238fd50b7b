internal import Bytes
package import Geo

/// Two decimal numbers as they stand in URLs.
package enum NumberPair {
    /// "60.1699,24.9384", with blanks around its numbers or a label in brackets behind them, and nothing else: of
    /// "60,1699,24,9384" a beginning is another point. Nil for what is not on the Earth.
    package static func point(_ text: some StringProtocol) -> Geo.Coordinate? {
        guard let (point, rest) = leading(Substring(text)) else { return nil }
        return rest.isEmpty || rest.begins(with: "(") ? point : nil
    }

    /// The point at the beginning of "60.1699,24.9384,15z", and what follows it.
    static func leading(_ text: Substring) -> (point: Geo.Coordinate, rest: Substring)? {
        guard let (north, behind) = text.halves(at: ","), let latitude = number(north.trimmed) else { return nil }
        let east = behind.trimmed
        let digits = Substring(east.unicodeScalars.prefix { $0.isDigit || $0 == "+" || $0 == "-" || $0 == "." })
        guard let longitude = number(digits),
            let point = try? Geo.Coordinate(latitude: latitude, longitude: longitude)
        else { return nil }
        return (point, east[digits.endIndex...].trimmed)
    }

    /// A number with an optional sign and decimals, nothing else.
    package static func number(_ text: some StringProtocol) -> Double? {
        guard (1...40).contains(text.utf8.count), text.utf8.contains(where: { (48...57).contains($0) }),
            text.utf8.allSatisfy({ (48...57).contains($0) || $0 == 43 || $0 == 45 || $0 == 46 })
        else { return nil }
        return Double(String(text))
    }
}
