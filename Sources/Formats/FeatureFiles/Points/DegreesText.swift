internal import Bytes
package import Geo

/// Latitude and longitude in degrees, as maps and people write them: "60.1699, 24.9384", "60,1699 24,9384",
/// "60°10'11.6\"N 24°56'18.2\"E", "N 60 10.194 E 24 56.304".
package enum DegreesText {
    /// A part of the text.
    private enum Token: Equatable {
        case number(Double, hasDecimals: Bool)
        case hemisphere(Unicode.Scalar)
        case degrees, minutes, seconds
        case separator
    }

    /// An angle that is being read.
    private struct Angle {
        var parts: [Double] = []
        var hasDecimals = false
        var hasMark = false
        var hemisphere: Unicode.Scalar?
        /// How many parts are expected: a mark says what the number before it was.
        var isFull: Bool { parts.count == 3 || hasDecimals }

        /// Degrees; nil when minutes or seconds are too many.
        var degrees: Double? {
            guard let whole = parts.first, parts.dropFirst().allSatisfy({ (0..<60).contains($0) }) else { return nil }
            let fraction = parts.dropFirst().enumerated().reduce(0.0) { $0 + $1.element / ($1.offset == 0 ? 60 : 3600) }
            let size = whole.magnitude + fraction
            switch hemisphere {
            case "S", "W": return whole.sign == .minus ? nil : -size
            case "N", "E": return whole.sign == .minus ? nil : size
            default: return whole.sign == .minus ? -size : size
            }
        }
    }

    private static let longest = 100
    /// Typographers' minus sign.
    private static let minus: Unicode.Scalar = "\u{2212}"

    /// Nil for a text that is not two angles, or where nothing says that it is: two plain whole numbers.
    package static func point(_ text: String) -> Geo.Coordinate? {
        guard text.utf8.count <= longest else { return nil }
        if let (latitude, longitude) = DegreesWords.labelled(text) {
            guard let north = angle(latitude, hemispheres: ["N", "S"], hasCommas: true),
                let east = angle(longitude, hemispheres: ["E", "W"], hasCommas: true)
            else { return nil }
            return try? Geo.Coordinate(latitude: north, longitude: east)
        }
        let plain = DegreesWords.plain(text)
        return PackedDegrees.point(plain) ?? pair(plain)
    }

    private static func pair(_ text: String) -> Geo.Coordinate? {
        guard text.utf8.count <= longest, text.utf8.contains(where: { (48...57).contains($0) }),
            let tokens = tokens(text), let (first, second) = angles(tokens)
        else { return nil }
        let isPlain = [first, second].allSatisfy { !$0.hasDecimals && !$0.hasMark && $0.hemisphere == nil }
        guard !isPlain, let a = first.degrees, let b = second.degrees else { return nil }
        switch (first.hemisphere, second.hemisphere) {
        case (nil, nil), ("N", "E"), ("N", "W"), ("S", "E"), ("S", "W"):
            return try? Geo.Coordinate(latitude: a, longitude: b)
        case ("E", "N"), ("W", "N"), ("E", "S"), ("W", "S"): return try? Geo.Coordinate(latitude: b, longitude: a)
        default: return nil
        }
    }

    /// One angle, as a column of a table has it: "60.17N", "60°10'11.6\"N", "-24.9". Nil for anything else, and for one
    /// of the other direction.
    /// - Parameters:
    ///   - hemispheres: the letters that it may have.
    ///   - hasCommas: whether a comma stands for the point.
    package static func angle(_ text: String, hemispheres: [Unicode.Scalar], hasCommas: Bool) -> Double? {
        guard text.utf8.count <= longest, text.utf8.contains(where: { (48...57).contains($0) }),
            let tokens = tokens(text, commasAreDecimal: hasCommas), let only = parts(tokens), only.count == 1
        else { return nil }
        if let hemisphere = only[0].hemisphere, !hemispheres.contains(hemisphere) { return nil }
        return only[0].parts.count == 1 || only[0].hasMark || only[0].hemisphere != nil ? only[0].degrees : nil
    }

    private static func tokens(_ text: String) -> [Token]? {
        tokens(text, commasAreDecimal: hasDecimalCommas(text))
    }

    private static func tokens(_ text: String, commasAreDecimal: Bool) -> [Token]? {
        var tokens: [Token] = []
        var rest = text.unicodeScalars.map { $0 == minus ? "-" : $0 }[...]
        while let scalar = rest.first {
            if scalar.isDigit || scalar == "+" || scalar == "-" || scalar == "." {
                guard let token = number(&rest, commasAreDecimal) else { return nil }
                tokens.append(token)
                continue
            }
            rest = rest.dropFirst()
            switch scalar {
            case "N", "n", "S", "s", "E", "e", "W", "w":
                // A word, such as "North", is none.
                if let next = rest.first, next.isAlphabetic { return nil }
                tokens.append(.hemisphere(Unicode.Scalar(scalar.value & 0x5f) ?? scalar))
            case "°", "º", "˚", "d": tokens.append(.degrees)
            case "'", "′", "’", "‘", "m":
                let isDouble = rest.first == scalar && scalar != "m"
                if isDouble { rest = rest.dropFirst() }
                tokens.append(isDouble ? .seconds : .minutes)
            case "\"", "″", "”", "“": tokens.append(.seconds)
            case ",", ";", "/": tokens.append(.separator)
            case "(", ")", "[", "]": continue
            default:
                guard scalar.isWhitespace else { return nil }
            }
        }
        return tokens
    }

    /// Whether the commas between digits in "60,1699 24,9384" and "60,1699, 24,9384" stand for points.
    private static func hasDecimalCommas(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        func isDigit(_ index: Int) -> Bool { Unicode.Scalar(bytes[index]).isDigit }
        let between = bytes.indices.dropFirst().dropLast().filter {
            bytes[$0] == UInt8(ascii: ",") && isDigit($0 - 1) && isDigit($0 + 1)
        }
        return between.count == 2 && !text.holds(".")
    }

    private static func number(_ rest: inout ArraySlice<Unicode.Scalar>, _ commasAreDecimal: Bool) -> Token? {
        var text = ""
        while let scalar = rest.first {
            let isSign = (scalar == "+" || scalar == "-") && text.isEmpty
            // One behind a number separates it from the next.
            let isComma = scalar == "," && commasAreDecimal && rest.dropFirst().first?.isDigit == true
            let isPoint = scalar == "." || isComma
            guard isSign || isPoint || scalar.isDigit else { break }
            text.unicodeScalars.append(isPoint ? "." : scalar)
            rest = rest.dropFirst()
        }
        return NumberPair.number(text).map { .number($0, hasDecimals: text.holds(".")) }
    }

    /// Two angles one after the other. A separator, a hemisphere behind the first or before the second, a second sign
    /// of degrees, or a number with decimals ends the first one.
    private static func angles(_ tokens: [Token]) -> (Angle, Angle)? {
        guard let angles = parts(tokens) else { return nil }
        if angles.count == 1, let pair = halves(of: angles[0]) { return pair }
        return angles.count == 2 ? (angles[0], angles[1]) : nil
    }

    /// One angle or two.
    private static func parts(_ tokens: [Token]) -> [Angle]? {
        var angles: [Angle] = [Angle()]
        var leads: Bool?
        for (index, token) in tokens.enumerated() {
            let last = angles.count - 1
            switch token {
            case .separator:
                if angles[last].parts.isEmpty { return nil }
                if index < tokens.count - 1 { angles.append(Angle()) }
            case .hemisphere(let letter):
                if leads == nil { leads = angles[0].parts.isEmpty }
                if leads == true, !angles[last].parts.isEmpty { angles.append(Angle()) }
                guard angles[angles.count - 1].hemisphere == nil else { return nil }
                angles[angles.count - 1].hemisphere = letter
            case .number(let value, let hasDecimals):
                let isDone = angles[last].isFull || (leads == false && angles[last].hemisphere != nil)
                let startsOver = isDone || isDegrees(tokens, after: index) && !angles[last].parts.isEmpty
                if startsOver { angles.append(Angle()) }
                angles[angles.count - 1].parts.append(value)
                angles[angles.count - 1].hasDecimals = angles[angles.count - 1].hasDecimals || hasDecimals
            case .degrees, .minutes, .seconds:
                let wanted = token == .degrees ? 1 : token == .minutes ? 2 : 3
                guard angles[last].parts.count == wanted else { return nil }
                angles[last].hasMark = true
            }
            if angles.count > 2 { return nil }
        }
        return angles
    }

    private static func isDegrees(_ tokens: [Token], after index: Int) -> Bool {
        index + 1 < tokens.count && tokens[index + 1] == .degrees
    }

    /// Two whole numbers in a row were read as degrees and minutes.
    private static func halves(of angle: Angle) -> (Angle, Angle)? {
        guard angle.parts.count == 2, !angle.hasMark else { return nil }
        var (first, second) = (angle, angle)
        (first.parts, second.parts) = ([angle.parts[0]], [angle.parts[1]])
        return (first, second)
    }
}
