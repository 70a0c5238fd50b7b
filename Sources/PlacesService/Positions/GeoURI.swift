import FeatureFiles
import Geo

/// A geo URI (RFC 5870): "geo:60.1699,24.9384;u=35". Android's form with the point in a query is taken too:
/// "geo:0,0?q=60.1,24.9(Here)".
enum GeoURI {
    private static let scheme = "geo:"

    static func point(_ text: String) -> Geo.Coordinate? {
        guard text.lowercased().hasPrefix(scheme) else { return nil }
        let body = text.dropFirst(scheme.count)
        let parts = body.split(separator: "?", maxSplits: 1)
        if parts.count == 2, parts[1].hasPrefix("q="), let point = NumberPair.point(parts[1].dropFirst(2)) {
            return point
        }
        return NumberPair.point(body)
    }
}
