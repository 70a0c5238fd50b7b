extension Duration {
    /// Reads "500ms", "1.5s", "2m", "1h" or a number of seconds, above 0 and at most a week. Nil when it is none.
    init?(timeSpan text: String) {
        let units: [(suffix: String, seconds: Double)] = [("ms", 0.001), ("s", 1), ("m", 60), ("h", 3600), ("", 1)]
        let unit = units.first { text.hasSuffix($0.suffix) }
        guard let unit, let number = Double(text.dropLast(unit.suffix.count)) else { return nil }
        let seconds = number * unit.seconds
        guard seconds > 0, seconds <= 604_800 else { return nil }
        self = .seconds(seconds)
    }
}
