/// A length as people write it.
package enum Length {
    private static let units: [(name: String, metres: Double)] = [
        ("km", 1_000), ("mi", 1_609.344), ("ft", 0.3048), ("m", 1),
    ]

    /// Metres of "500", "500m", "1.5 km", "1mi" or "300ft"; nil when it is not a length.
    package static func metres(_ text: String) -> Double? {
        let lowered = text.lowercased().filter { !$0.isWhitespace }
        let unit = units.first { lowered.hasSuffix($0.name) }
        let number = lowered.dropLast(unit?.name.count ?? 0)
        // A number is written in digits: "nan" and "inf" don't count, and a text that ends with a letter has another
        // unit.
        guard let last = number.last, last.isASCII, last.isNumber || last == ".", let value = Double(number),
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
        let unit = units.first { text.hasSuffix($0.suffix) }
        guard let unit, let number = Double(text.dropLast(unit.suffix.count)) else { return nil }
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
        let lowered = word.lowercased()
        let isURI = lowered.hasPrefix("geo:")
        let bare = isURI ? String(word.dropFirst(4).prefix { $0 != ";" && $0 != "?" }) : word
        let parts = bare.filter { !$0.isWhitespace && $0 != "(" && $0 != ")" }.split(
            separator: ",", omittingEmptySubsequences: false)
        // A third number of a URI is the altitude.
        guard parts.count == 2 || isURI && parts.count == 3 else { return nil }
        guard parts.allSatisfy({ Double($0)?.isFinite == true }) else { return nil }
        return (String(parts[0]), String(parts[1]))
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
            words[index].last == ","
        {
            // "60.1699, 24.9384" without quotes.
            words.replaceSubrange(index...index + 1, with: [point.latitude, point.longitude])
        }
        return words
    }
}
