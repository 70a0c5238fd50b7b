internal import Bytes
package import Geo

/// Points as links have them in a few letters, each of six bits: three of the degrees east, three of the degrees north,
/// one of each in turn.
package enum CellCode {
    private static let letters = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".unicodeScalars)

    /// "0EEQjE--", a short link of openstreetmap.org: letters that name a cell, and signs for the zoom. Its middle.
    package static func openStreetMap(_ code: Substring) -> Geo.Coordinate? {
        let scalars = code.unicodeScalars.prefix { $0 != "-" && $0 != "=" && $0 != "?" }
        guard (3...10).contains(scalars.count), let values = values(scalars, ["_", "@"], or: ["_", "~"]) else {
            return nil
        }
        let (east, north) = interleaved(values)
        let cells = Double(UInt64(1) << (3 * values.count))
        return try? Geo.Coordinate(
            latitude: (Double(north) + 0.5) / cells * 180 - 90, longitude: (Double(east) + 0.5) / cells * 360 - 180)
    }

    /// "B4srhdHVVt", of Organic Maps and MAPS.ME: a letter for the zoom, then up to nine that name a cell, of which the
    /// degrees north are the first bit.
    package static func organicMaps(_ code: Substring) -> Geo.Coordinate? {
        let scalars = code.unicodeScalars
        guard (6...10).contains(scalars.count), let values = values(scalars.dropFirst(), ["-", "_"], or: nil) else {
            return nil
        }
        let (north, east) = interleaved(values)
        let cells = Double(UInt64(1) << (3 * values.count))
        return try? Geo.Coordinate(
            latitude: (Double(north) + 0.5) / cells * 180 - 90, longitude: (Double(east) + 0.5) / cells * 360 - 180)
    }

    /// The values of letters; nil when one is none.
    private static func values(
        _ scalars: some Sequence<Unicode.Scalar>, _ last: [Unicode.Scalar], or others: [Unicode.Scalar]?
    ) -> [UInt64]? {
        var values: [UInt64] = []
        for scalar in scalars {
            let index =
                letters.firstIndex(of: scalar) ?? last.firstIndex(of: scalar).map { 62 + $0 }
                ?? others?.firstIndex(of: scalar).map { 62 + $0 }
            guard let index else { return nil }
            values.append(UInt64(index))
        }
        return values
    }

    /// The bits of each value in turn, from the highest on, for the one and for the other.
    private static func interleaved(_ values: [UInt64]) -> (UInt64, UInt64) {
        values.reduce(into: (UInt64(0), UInt64(0))) { pair, value in
            for bit in [5, 3, 1] as [UInt64] {
                pair.0 = pair.0 << 1 | value >> bit & 1
                pair.1 = pair.1 << 1 | value >> (bit - 1) & 1
            }
        }
    }
}
