import Bytes
import Geo

/// A plus code: an area by a few letters, "9GG65W9Q+R9", or without its first four where a place nearby is named,
/// "5W9Q+R9 Helsinki". After the Open Location Code specification of Google, Apache-2.0.
struct PlusCode: Equatable {
    private static let digits = Array("23456789CFGHJMPQRVWX".unicodeScalars)
    private static let separator: Unicode.Scalar = "+"
    private static let padding: Unicode.Scalar = "0"
    private static let lettersBefore = 8
    private static let pairs = 5
    private static let maximumLetters = 15
    /// Degrees of the first pair of letters.
    private static let firstStep = 20.0

    /// Values of its letters without the separator.
    private let values: [Int]
    /// How many letters at the beginning are left out.
    private let missing: Int

    /// The first code in a text, and the text without it.
    static func find(in text: String) -> (code: PlusCode, rest: String)? {
        guard text.utf8.contains(where: { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "%") }) else { return nil }
        // In a link "+" is %2B, and the code stands between its signs.
        let isLink = text.holds("://") || text.asciiLowercased.begins(with: "plus.codes/")
        let written = text.replacing(each: "%2B", with: "+").replacing(each: "%2b", with: "+")
        let words = written.split(atScalars: { scalar in
            scalar.isWhitespace || scalar == "," || isLink && "/?=&#".unicodeScalars.contains(scalar)
        })
        for (index, word) in words.enumerated() where word.unicodeScalars.contains(separator) {
            guard let code = PlusCode(word) else { continue }
            var rest = words
            rest.remove(at: index)
            return (code, rest.joined(separator: " "))
        }
        return nil
    }

    private init?(_ word: Substring) {
        let parts = word.uppercased().split(at: Self.separator, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let before = parts[0].without(Self.padding)
        let (length, kept) = (parts[0].utf8.count, before.utf8.count)
        guard [2, 4, 6, 8].contains(length), parts[0].begins(with: before), kept % 2 == 0, kept > 0,
            kept < length
                ? length == Self.lettersBefore && parts[1].isEmpty
                : parts[1].utf8.count >= 2 || Self.isWhole(parts[0]) && parts[1].isEmpty
        else { return nil }
        let values = (before + parts[1]).unicodeScalars.map { Self.digits.firstIndex(of: $0) ?? -1 }
        missing = Self.lettersBefore - length
        guard values.count + missing <= Self.maximumLetters, !values.contains(-1) else { return nil }
        // Latitudes end at 90 degrees, longitudes at 180.
        guard missing > 0 || (values[0] < 9 && values[1] < 18) else { return nil }
        self.values = values
    }

    /// Whether letters name a place without any behind the sign, and are no number with a sign at its end.
    private static func isWhole(_ letters: Substring) -> Bool {
        letters.utf8.count == lettersBefore && letters.unicodeScalars.contains { !$0.isDigit }
    }

    /// The middle of its area; nil for a short one.
    var point: Geo.Coordinate? { missing == 0 ? Self.middle(of: values) : nil }

    /// The middle of the area of a short code that is nearest to a point.
    func point(near reference: Geo.Coordinate) -> Geo.Coordinate? {
        let start = Self.letters(of: reference).prefix(missing)
        guard let first = Self.middle(of: start + values) else { return nil }
        let step = Self.firstStep / (missing <= 2 ? 1 : missing <= 4 ? 20 : 400)
        let candidates = [-step, 0, step].flatMap { up in
            [-step, 0, step].compactMap { along in
                try? Geo.Coordinate(
                    latitude: first.latitude + up, longitude: Self.turned(first.longitude + along))
            }
        }
        return candidates.min { $0.metres(to: reference) < $1.metres(to: reference) }
    }

    private static func turned(_ longitude: Double) -> Double {
        longitude < -180 ? longitude + 360 : longitude >= 180 ? longitude - 360 : longitude
    }

    /// The letters of pairs that a point has.
    private static func letters(of point: Geo.Coordinate) -> [Int] {
        var (up, along) = (min(point.latitude + 90, 179.999_999), point.longitude + 180)
        var step = firstStep
        var letters: [Int] = []
        for _ in 0..<pairs {
            let (row, column) = (Int(up / step), Int(along / step))
            letters += [min(row, digits.count - 1), min(column, digits.count - 1)]
            up -= Double(row) * step
            along -= Double(column) * step
            step /= 20
        }
        return letters
    }

    /// Letters behind the pairs name a cell in a grid of four columns and five rows.
    private static func middle(of values: some Collection<Int>) -> Geo.Coordinate? {
        let values = Array(values)
        var (south, west) = (-90.0, -180.0)
        var (tall, wide) = (firstStep * 20, firstStep * 20)
        for (index, value) in values.enumerated() {
            if index < pairs * 2 {
                if index % 2 == 0 {
                    tall /= 20
                    south += Double(value) * tall
                } else {
                    wide /= 20
                    west += Double(value) * wide
                }
            } else {
                (tall, wide) = (tall / 5, wide / 4)
                south += Double(value / 4) * tall
                west += Double(value % 4) * wide
            }
        }
        return try? Geo.Coordinate(latitude: min(south + tall / 2, 90), longitude: turned(west + wide / 2))
    }
}
