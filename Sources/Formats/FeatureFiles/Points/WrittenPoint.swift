internal import Bytes
package import Geo

/// A point in one text, as a column of a table has it: "60.17, 24.94" in degrees north and east, or as databases write
/// it, "POINT (24.94 60.17)" (WKT, OGC 06-103r4), the other way round; or by squares of metres.
package enum WrittenPoint {
    package static func point(_ text: String) -> Geo.Coordinate? {
        NumberPair.point(text) ?? written(text) ?? separated(text)
    }

    /// "60.17:24.94" and "60.17; 24.94".
    private static func separated(_ text: String) -> Geo.Coordinate? {
        for sign: Unicode.Scalar in [":", ";"] {
            let parts = text.split(at: sign, omittingEmptySubsequences: false)
            if parts.count == 2, let north = NumberPair.number(parts[0].trimmed),
                let east = NumberPair.number(parts[1].trimmed)
            {
                return try? Geo.Coordinate(latitude: north, longitude: east)
            }
        }
        return nil
    }

    /// A text of which nothing says that it is a point: two plain whole numbers are none.
    package static func written(_ text: String) -> Geo.Coordinate? {
        guard mayHaveNumbers(text) else { return nil }
        return wkt(text) ?? DegreesText.point(text) ?? GridReference.point(text)
    }

    /// Whether a text has two runs of digits, or of signs that may be some in another script.
    private static func mayHaveNumbers(_ text: String) -> Bool {
        var (runs, isInside) = (0, false)
        for byte in text.utf8 {
            if byte >= 0x80 { return true }
            let isDigit = UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
            if isDigit, !isInside { runs += 1 }
            isInside = isDigit
        }
        return runs >= 2
    }

    /// Nil for shapes that are no point.
    private static func wkt(_ text: String) -> Geo.Coordinate? {
        var rest = text.trimmed
        if rest.asciiLowercased.begins(with: "srid="), let (system, point) = rest.halves(at: ";") {
            guard system.asciiLowercased.isSame(as: "srid=4326") else { return nil }
            rest = point
        }
        guard rest.asciiLowercased.begins(with: "point"), let (_, behind) = rest.halves(at: "("),
            let (inside, end) = behind.halves(at: ")"), end.trimmed.isEmpty
        else { return nil }
        let numbers = inside.split(atScalars: \.isWhitespace).map { DecimalNumber.parse(String($0)) }
        guard (2...4).contains(numbers.count), let east = numbers[0], let north = numbers[1] else { return nil }
        return try? Geo.Coordinate(latitude: north, longitude: east)
    }
}
