/// A length as people write it.
enum Length {
    private static let units: [(name: String, metres: Double)] = [
        ("km", 1_000), ("mi", 1_609.344), ("ft", 0.3048), ("m", 1),
    ]

    /// Metres of "500", "500m", "1.5 km", "1mi" or "300ft"; nil when it is none.
    static func metres(_ text: String) -> Double? {
        let lowered = text.lowercased().filter { !$0.isWhitespace }
        let unit = units.first { lowered.hasSuffix($0.name) }
        let number = lowered.dropLast(unit?.name.count ?? 0)
        // A number is written in digits: "nan" and "inf" are none, and what ends with a letter has another unit.
        guard let last = number.last, last.isASCII, last.isNumber || last == ".", let value = Double(number),
            value.isFinite
        else { return nil }
        return value * (unit?.metres ?? 1)
    }
}

extension ParsedArguments {
    /// A length in metres.
    func metres(_ flag: String) throws(UsageError) -> Double? {
        guard let text = text(flag) else { return nil }
        guard let metres = Length.metres(text) else {
            throw UsageError("--\(flag) is \(text), allowed is a length such as 500, 500m or 1.5km")
        }
        return metres
    }
}
