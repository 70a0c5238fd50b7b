import Bytes

/// A length as people write it.
package enum Length {
    private static let units: [(name: String, metres: Double)] = [
        ("km", 1_000), ("mi", 1_609.344), ("ft", 0.3048), ("m", 1),
    ]

    /// Metres of "500", "500m", "1.5 km", "1mi" or "300ft"; nil when it is not a length.
    package static func metres(_ text: String) -> Double? {
        let lowered = String(String.UnicodeScalarView(text.lowercased().unicodeScalars.filter { !$0.isWhitespace }))
        let unit = units.first { lowered.ends(with: $0.name) }
        let number = lowered.before(unit?.name ?? "") ?? ""
        // A number is written in digits: "nan" and "inf" don't count, and a text that ends with a letter has another
        // unit.
        guard let last = number.unicodeScalars.last, last.isDigit || last == ".", let value = Double(number),
            value.isFinite
        else { return nil }
        return value * (unit?.metres ?? 1)
    }
}

extension Duration {
    /// Parses "500ms", "1.5s", "2m", "1h", "90d" or a number of seconds, above 0 and at most ten years. Nil when it is
    /// not a time.
    package init?(timeSpan text: String) {
        let units: [(suffix: String, seconds: Double)] = [
            ("ms", 0.001), ("s", 1), ("m", 60), ("h", 3_600), ("d", 86_400), ("", 1),
        ]
        let unit = units.first { text.ends(with: $0.suffix) }
        guard let unit, let number = text.before(unit.suffix).flatMap({ Double($0) }) else { return nil }
        let seconds = number * unit.seconds
        guard seconds > 0, seconds <= 3_660 * 86_400 else { return nil }
        self = .seconds(seconds)
    }
}

extension ParsedArguments {
    /// A length in metres.
    package func metres(_ flag: String) throws(UsageError) -> Double? {
        guard let text = text(flag) else { return nil }
        guard let metres = Length.metres(text) else {
            throw UsageError("--\(flag) is \(text), allowed is a length such as 500, 500m or 1.5km")
        }
        return metres
    }
}

/// A point in one word, in the forms that maps copy.
package enum PointText {
    /// "60.1699,24.9384", possibly with a blank or a bracket, and "geo:60.1699,24.9384;u=35" (RFC 5870). Nil when it is
    /// something else.
    package static func numbers(_ word: String) -> (latitude: String, longitude: String)? {
        let isURI = word.asciiLowercased.begins(with: "geo:")
        let bare = isURI ? numbers(inURI: Substring(word.unicodeScalars.dropFirst(4))) : word
        let signs = bare.unicodeScalars.filter { !$0.isWhitespace && $0 != "(" && $0 != ")" }
        let parts = String(signs).split(at: ",", omittingEmptySubsequences: false)
        // A third number of a URI is the altitude.
        guard parts.count == 2 || isURI && parts.count == 3 else { return nil }
        guard parts.allSatisfy({ Double($0)?.isFinite == true }) else { return nil }
        return (String(parts[0]), String(parts[1]))
    }

    /// Those of a geo URI, or of what it asks for: "geo:0,0?q=60.1,24.9(Here)" is not at 0, 0.
    private static func numbers(inURI text: Substring) -> String {
        let (path, query) = text.halves(at: "?") ?? (text, "")
        let asked = query.split(at: "&").lazy.compactMap { $0.after("q=") }.first
        return asked.map { String(URLText.unescaped($0, plusIsBlank: true).until("(")) } ?? String(path.until(";"))
    }

    /// The words of a command, with a point in one word replaced by two, where the command takes LAT and LON.
    static func splitting(_ words: [String], _ positionals: [Positional]) -> [String] {
        guard let index = positionals.firstIndex(where: { $0.name == "LAT" }), words.indices.contains(index) else {
            return words
        }
        var words = words
        if let point = numbers(words[index]) {
            words.replaceSubrange(index...index, with: [point.latitude, point.longitude])
        } else if words.count > index + 1, let point = numbers(words[index] + words[index + 1]),
            words[index].unicodeScalars.last == ","
        {
            // "60.1699, 24.9384" without quotes.
            words.replaceSubrange(index...index + 1, with: [point.latitude, point.longitude])
        }
        return words
    }
}
