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
    /// Parses "500ms", "1.5s", "2m", "1h" or a number of seconds, above 0 and at most a week. Nil when it is not a
    /// time.
    package init?(timeSpan text: String) {
        let units: [(suffix: String, seconds: Double)] = [("ms", 0.001), ("s", 1), ("m", 60), ("h", 3600), ("", 1)]
        let unit = units.first { text.hasSuffix($0.suffix) }
        guard let unit, let number = Double(text.dropLast(unit.suffix.count)) else { return nil }
        let seconds = number * unit.seconds
        guard seconds > 0, seconds <= 604_800 else { return nil }
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
