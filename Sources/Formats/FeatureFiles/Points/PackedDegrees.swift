internal import Bytes
package import Geo

/// Degrees, minutes and seconds without anything between them, as receivers and pilots write them: "6010.194N 02456.304E"
/// (NMEA 0183), "601011N 0245618E" (ICAO Annex 15).
package enum PackedDegrees {
    package static func point(_ text: String) -> Geo.Coordinate? {
        let words = text.uppercased().split(atScalars: { $0.isWhitespace || $0 == "," || $0 == "/" })
        guard words.count == 2, let north = angle(words[0], ["N", "S"], digits: 2),
            let east = angle(words[1], ["E", "W"], digits: 3)
        else { return nil }
        return try? Geo.Coordinate(latitude: north, longitude: east)
    }

    /// - Parameter digits: how many are whole degrees.
    private static func angle(_ word: Substring, _ hemispheres: [Unicode.Scalar], digits: Int) -> Double? {
        guard let letter = word.unicodeScalars.last, let index = hemispheres.firstIndex(of: letter) else { return nil }
        let number = Substring(word.unicodeScalars.dropLast())
        let whole = number.until(".")
        guard whole.unicodeScalars.allSatisfy(\.isDigit), let all = NumberPair.number(number) else { return nil }
        let scale: Double
        switch whole.utf8.count {
        case digits + 2: scale = 100
        case digits + 4: scale = 10_000
        default: return nil
        }
        let degrees = (all / scale).rounded(.down)
        let rest = all - degrees * scale
        let minutes = scale == 100 ? rest : (rest / 100).rounded(.down)
        let seconds = scale == 100 ? 0 : rest - minutes * 100
        guard minutes < 60, seconds < 60 else { return nil }
        return (degrees + minutes / 60 + seconds / 3600) * (index == 0 ? 1 : -1)
    }
}
