import FeatureFiles
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

extension String {
    /// Without white space at both ends.
    var trimmingBlanks: String {
        let end = unicodeScalars.lastIndex { !$0.properties.isWhitespace }
        guard let start = unicodeScalars.firstIndex(where: { !$0.properties.isWhitespace }), let end else { return "" }
        return String(unicodeScalars[start...end])
    }
}
