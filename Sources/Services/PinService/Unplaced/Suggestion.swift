import Bytes
import Geo
import Texts

/// Where an entry of a file may be.
struct Suggestion: Equatable, Sendable {
    /// How far it may be from other pins of its lists, in metres: as far as a city reaches.
    private static let reachMetres = 50_000.0

    let found: FoundPoint
    let isSure: Bool

    /// `near`: where other pins of its lists are; nil when that is not known.
    init(_ found: FoundPoint, for entry: Unplaced, near: Coordinate?) {
        self.found = found
        if !entry.address.isEmpty {
            isSure = found.isAddress && Self.hasAllNumbers(of: found.name, entry.address)
        } else {
            let isNear = near.map { $0.metres(to: found.position) <= Self.reachMetres } ?? false
            isSure = found.isPlace && isNear && FoldedText(found.name).bytes == FoldedText(entry.name).bytes
        }
    }

    /// Whether the house's number is one of the address.
    private static func hasAllNumbers(of name: String, _ address: String) -> Bool {
        func numbers(_ text: String) -> Set<String> {
            Set(text.unicodeScalars.split { !$0.isDigit }.map { String($0) })
        }
        let wanted = numbers(name)
        return !wanted.isEmpty && wanted.isSubset(of: numbers(address))
    }

    /// Where pins are that belong together: their middle, if most of them are near it.
    static func middle(of points: [Coordinate]) -> Coordinate? {
        guard !points.isEmpty else { return nil }
        let (latitudes, longitudes) = (points.map(\.latitudeE7).sorted(), points.map(\.longitudeE7).sorted())
        let half = points.count / 2
        guard let middle = try? Coordinate(latitudeE7: latitudes[half], longitudeE7: longitudes[half]),
            points.count(where: { $0.metres(to: middle) <= reachMetres }) * 2 > points.count
        else { return nil }
        return middle
    }
}
