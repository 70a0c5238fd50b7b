/// Opening hours as OpenStreetMap writes them, https://wiki.openstreetmap.org/wiki/Key:opening_hours/specification:
/// read once, then asked. Without I/O; what stands in the value is from anywhere, so its length and what it makes to
/// do are bounded.
package struct OpeningHours: Sendable {
    /// Longer values are not read. OpenStreetMap has 255 characters at most.
    package static let longestBytes = 1024
    static let mostTokens = 600
    static let mostParts = 200

    let rules: [HoursRule]
    /// Without a rule for the rest of the time, as in "PH off", that is not known.
    let isOtherwiseUnknown: Bool
    /// Whether some span goes on behind midnight.
    let reachesTomorrow: Bool
    let asksPublicHolidays: Bool
    let asksSchoolHolidays: Bool
    private let text: [UInt8]

    /// Nil for a value that can't be read.
    package init?(_ value: some Collection<UInt8>) {
        guard value.count <= Self.longestBytes else { return nil }
        let text = Array(value)
        guard let tokens = HoursScanner.tokens(of: text[...], most: Self.mostTokens), !tokens.isEmpty else {
            return nil
        }
        var reader = HoursReader(tokens)
        guard let rules = reader.rules() else { return nil }
        self.rules = rules
        self.text = text
        let isOnlyClosed = rules.allSatisfy { $0.state == .closed }
        isOtherwiseUnknown = isOnlyClosed && !rules.contains { $0.days.isEveryDay && $0.spans.isEmpty }
        reachesTomorrow = rules.contains { rule in rule.spans.contains { $0.reachesTomorrow } }
        asksPublicHolidays = rules.contains { !$0.days.publicHolidays.isEmpty }
        asksSchoolHolidays = rules.contains { $0.days.hasSchoolHolidays }
    }

    package init?(_ value: String) { self.init(Array(value.utf8)) }

    /// What the rule with this index says besides; empty for nothing.
    package func comment(ofRule index: Int) -> String {
        guard rules.indices.contains(index), let range = rules[index].comment else { return "" }
        return String(decoding: text[range], as: UTF8.self)
    }
}

/// Whether a place is open.
package enum HoursState: UInt8, Sendable {
    case closed, open, unknown
}
