internal import Bytes
package import Geo

/// Points as hikers' maps, rescue services and armies write them, by squares of metres: MGRS, "35V LG 85637 72024"
/// (NGA.STND.0037), and UTM, "35V 385637 6672024" or "Zone 35 N, E 385637 m, N 6672024 m".
package enum GridReference {
    /// Of MGRS: the rows of letters begin again after so many metres.
    private static let rowsMetres = 2_000_000.0
    private static let squareMetres = 100_000.0
    /// The bands of eight degrees, from 80 south on; the last has twelve.
    private static let bands = Array("cdefghjklmnpqrstuvwx".unicodeScalars)
    private static let columns = Array("abcdefghjklmnpqrstuvwxyz".unicodeScalars)
    private static let rows = Array("abcdefghjklmnpqrstuv".unicodeScalars)
    private static let (metre, decimalPoint): (Unicode.Scalar, Unicode.Scalar) = ("m", ".")
    /// Words of UTM that say nothing more.
    private static let noise = ["utm", "zone", "m", "wgs84"]
    private static let longest = 100

    /// Nil for a text that is neither; and for "S" where it may name the southern half or the band from 32 to 40 degrees
    /// north.
    package static func point(_ text: String) -> Geo.Coordinate? {
        guard text.utf8.count <= longest else { return nil }
        return mgrs(text) ?? utm(text)
    }

    /// The middle of the square that is named, which is of a kilometre at most.
    private static func mgrs(_ text: String) -> Geo.Coordinate? {
        var rest = text.asciiLowercased.unicodeScalars.filter { !$0.properties.isWhitespace }[...]
        guard let zone = zone(&rest), let band = take(&rest, of: bands), let column = take(&rest, of: columns),
            let row = take(&rest, of: rows), rest.allSatisfy(\.isDigit),
            (4...10).contains(rest.count), rest.count.isMultiple(of: 2)
        else { return nil }
        let half = rest.count / 2
        let first = (zone - 1) % 3 * 8
        guard (first..<first + 8).contains(column),
            let east = Int(String(String.UnicodeScalarView(rest.prefix(half)))),
            let north = Int(String(String.UnicodeScalarView(rest.suffix(half))))
        else { return nil }
        let step = (0..<5 - half).reduce(1.0) { step, _ in step * 10 }
        let easting = Double(column - first + 1) * squareMetres + (Double(east) + 0.5) * step
        let rowMetres = Double((row + (zone.isMultiple(of: 2) ? 15 : 0)) % 20) * squareMetres
        let inRows = rowMetres + (Double(north) + 0.5) * step
        // The letters of rows are there four times in a half of the world: one of them lies in the band.
        for turn in -5..<5 {
            let northing = inRows + Double(turn) * rowsMetres
            if let point = TransverseMercator.point(zone: zone, easting: easting, northing: northing),
                isPart(of: band, point.latitude)
            {
                return point
            }
        }
        return nil
    }

    /// Whether a square of a kilometre may have its middle there: those at the edge of a band belong to both.
    private static func isPart(of band: Int, _ latitude: Double) -> Bool {
        let south = Double(band * 8 - 80)
        return (south - 0.01...south + (band == bands.count - 1 ? 12 : 8) + 0.01).contains(latitude)
    }

    private static func utm(_ text: String) -> Geo.Coordinate? {
        let words = text.asciiLowercased.split { $0.properties.isWhitespace || [",", ";", ":"].contains($0) }
        var parts = words.map(String.init).filter { word in !noise.contains { $0.isSame(as: word) } }
        guard let head = parts.first else { return nil }
        parts.removeFirst()
        var rest = head.unicodeScalars[...]
        guard let zone = zone(&rest) else { return nil }
        // "35 V" as well as "35V".
        if rest.isEmpty, let next = parts.first, next.unicodeScalars.count == 1, !next.isSame(as: "e") {
            rest = next.unicodeScalars[...]
            parts.removeFirst()
        }
        guard let band = take(&rest, of: bands), rest.isEmpty, let (easting, northing) = metres(parts) else {
            return nil
        }
        return point(zone, bands[band], easting, northing)
    }

    /// Metres to the east and north: "385637 6672024", "385637mE 6672024mN", "E 385637 N 6672024".
    private static func metres(_ parts: [String]) -> (east: Double, north: Double)? {
        var (values, order) = ([Double](), [Unicode.Scalar]())
        for part in parts {
            var rest = part.unicodeScalars[...]
            if let sign = rest.first, sign == "e" || sign == "n" {
                order.append(sign)
                rest = rest.dropFirst()
            }
            if rest.isEmpty { continue }
            let number = rest.prefix { $0.isDigit || $0 == decimalPoint }
            guard let value = Double(String(number)), value.isFinite else { return nil }
            values.append(value)
            rest = rest.dropFirst(number.count)
            if rest.first == metre { rest = rest.dropFirst() }
            guard let sign = rest.first else { continue }
            guard rest.count == 1, sign == "e" || sign == "n" else { return nil }
            order.append(sign)
        }
        guard values.count == 2 else { return nil }
        switch order {
        case [], ["e", "n"]: return (values[0], values[1])
        case ["n", "e"]: return (values[1], values[0])
        default: return nil
        }
    }

    /// A letter behind a zone is a band, or the half of the world: "N" and "S".
    private static func point(
        _ zone: Int, _ scalar: Unicode.Scalar, _ easting: Double, _ northing: Double
    ) -> Geo.Coordinate? {
        guard (0...TransverseMercator.falseNorthing).contains(northing) else { return nil }
        let south = TransverseMercator.point(
            zone: zone, easting: easting, northing: northing - TransverseMercator.falseNorthing)
        let north = TransverseMercator.point(zone: zone, easting: easting, northing: northing)
        switch scalar {
        case "n": return north
        case "s":
            let isBand = north.map { (32...40).contains($0.latitude) } ?? false
            return isBand ? nil : south
        default:
            guard let band = bands.firstIndex(of: scalar) else { return nil }
            return (scalar < "n" ? south : north).flatMap { isPart(of: band, $0.latitude) ? $0 : nil }
        }
    }

    private static func zone(_ rest: inout String.UnicodeScalarView.SubSequence) -> Int? {
        let digits = rest.prefix(while: \.isDigit)
        guard (1...2).contains(digits.count), let zone = Int(String(digits)), (1...60).contains(zone) else {
            return nil
        }
        rest = rest.dropFirst(digits.count)
        return zone
    }

    private static func take(
        _ rest: inout String.UnicodeScalarView.SubSequence, of letters: [Unicode.Scalar]
    ) -> Int? {
        guard let first = rest.first, let index = letters.firstIndex(of: first) else { return nil }
        rest = rest.dropFirst()
        return index
    }
}
