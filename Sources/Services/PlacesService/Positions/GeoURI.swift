import Bytes
import FeatureFiles
import Geo

/// A geo URI (RFC 5870): "geo:60.1699,24.9384;u=35". Android's form with a query is read as its apps mean it: what it
/// asks for counts, and the point before it is where to look, or 0,0 for nowhere: "geo:0,0?q=60.1,24.9(Here)",
/// "geo:0,0?z=15&q=Mannerheimintie+20".
enum GeoURI: Equatable {
    case point(Geo.Coordinate)
    case search(String, near: Geo.Coordinate?)

    private static let scheme = "geo:"
    private static let crs = "crs=wgs84"

    /// Nil for what is none, or has a position of another kind than degrees.
    init?(_ text: String) {
        guard let first = text.utf8.first, first | 0x20 == Self.scheme.utf8.first,
            text.asciiLowercased.begins(with: Self.scheme)
        else { return nil }
        let body = Substring(text.unicodeScalars.dropFirst(Self.scheme.utf8.count))
        let (path, query) = body.halves(at: "?") ?? (body, "")
        let point = Self.point(path)
        let wanted = query.split(at: "&").lazy.compactMap { $0.after("q=") }.first
        guard let wanted else {
            guard let point else { return nil }
            self = .point(point)
            return
        }
        let asked = URLText.unescaped(wanted, plusIsBlank: true)
        if let found = NumberPair.point(asked) ?? DegreesText.point(String(asked.until("("))) {
            self = .point(found)
        } else if !asked.trimmed.isEmpty {
            self = .search(String(asked.trimmed), near: point.flatMap { Self.isNowhere($0) ? nil : $0 })
        } else if let point, !Self.isNowhere(point) {
            self = .point(point)
        } else {
            return nil
        }
    }

    /// Two or three numbers, with parameters behind them or a label in brackets.
    private static func point(_ path: Substring) -> Geo.Coordinate? {
        let parts = path.split(at: ";")
        let frames = parts.dropFirst().filter { $0.asciiLowercased.begins(with: "crs=") }
        guard let numbers = parts.first?.until("(").split(at: ",", omittingEmptySubsequences: false),
            (2...3).contains(numbers.count), numbers.allSatisfy({ NumberPair.number($0.trimmed) != nil }),
            frames.allSatisfy({ $0.asciiLowercased == crs })
        else { return nil }
        return NumberPair.point("\(numbers[0]),\(numbers[1])")
    }

    private static func isNowhere(_ point: Geo.Coordinate) -> Bool { point.latitude == 0 && point.longitude == 0 }
}
