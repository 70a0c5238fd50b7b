import Bytes
import FeatureFiles
import Geo

/// A position as people write it, or copy it from elsewhere.
enum WrittenPosition: Equatable {
    case point(Geo.Coordinate)
    /// Several marks, as a link or a text with links has them.
    case points([Geo.Coordinate])
    /// A plus code without its beginning, and the text that says near what it is; empty for near the map.
    case shortCode(PlusCode, near: String)

    /// Words to look for instead, and where.
    case search(String, near: Geo.Coordinate?)

    /// Longer texts are not looked at.
    private static let longest = 2000

    /// Nil for a text that is no position.
    init?(_ text: String) {
        let text = String(text.trimmed)
        guard text.utf8.count <= Self.longest else { return nil }
        switch GeoURI(text) {
        case .point(let point):
            self = .point(point)
            return
        case .search(let words, let near):
            self = .search(words, near: near)
            return
        case nil: break
        }
        let marks = MapLink.points(text)
        if marks.count > 1 {
            self = .points(marks)
            return
        }
        if let point = MapLink.point(text) ?? WrittenPoint.written(text) {
            self = .point(point)
            return
        }
        guard let (code, rest) = PlusCode.find(in: text) else { return nil }
        if let point = code.point { self = .point(point) } else { self = .shortCode(code, near: rest) }
    }
}
