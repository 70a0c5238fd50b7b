package import Refusals

/// The checks of single fields, which ProtoGen calls for the options of options.proto. Each refuses in the words of
/// CONTRIBUTING's "The wording of a refusal".
package enum FieldRule {
    /// Whether a field may be absent, and what an empty one means.
    package enum Presence: Sendable {
        /// An empty one is absent.
        case free
        /// It was given: an empty one is a value like others.
        case given
        case required
    }

    // MARK: numbers. One overload per type: in other modules a generic function would not be specialized.

    package static func range(
        _ number: Double?, _ range: ClosedRange<Double>, _ field: String, unit: String = "", allowed: String = ""
    ) throws(Refusal) {
        guard let number, !range.contains(number) else { return }
        throw outside(field, "\(number)", "\(GroupedNumber.text(range, unit)) are", allowed)
    }

    package static func range(
        _ number: UInt32?, _ range: ClosedRange<UInt32>, _ field: String, unit: String = "", allowed: String = ""
    ) throws(Refusal) {
        guard let number, !range.contains(number) else { return }
        throw outside(field, "\(number)", "\(GroupedNumber.text(range, unit)) are", allowed)
    }

    package static func range(
        _ number: Int32?, _ range: ClosedRange<Int32>, _ field: String, unit: String = "", allowed: String = ""
    ) throws(Refusal) {
        guard let number, !range.contains(number) else { return }
        throw outside(field, "\(number)", "\(GroupedNumber.text(range, unit)) are", allowed)
    }

    package static func range(
        _ number: UInt64?, _ range: ClosedRange<UInt64>, _ field: String, unit: String = "", allowed: String = ""
    ) throws(Refusal) {
        guard let number, !range.contains(number) else { return }
        throw outside(field, "\(number)", "\(GroupedNumber.text(range, unit)) are", allowed)
    }

    package static func outside(
        _ field: String, _ given: String, _ usual: @autoclosure () -> String, _ allowed: String
    ) -> Refusal {
        Refusal(field, given, allowed: allowed.isEmpty ? usual() : allowed)
    }

    // MARK: lists and bytes

    package static func count(
        _ count: Int, _ length: ClosedRange<Int>, _ field: String, of things: String = "entries",
        as presence: Presence = .free, needed: String = ""
    ) throws(Refusal) {
        if count == 0, presence == .free || length.lowerBound == 0 { return }
        if length.contains(count) { return }
        if count == 0 { throw missing(field, needed, length, things) }
        throw Refusal(field, count, things, allowed: allowed(length, than: count))
    }

    package static func texts(
        _ texts: [String], _ field: String, _ form: FieldForm? = nil, length: ClosedRange<Int>? = nil,
        of things: String = "entries", as presence: Presence = .free, needed: String = ""
    ) throws(Refusal) {
        if texts.isEmpty, presence == .free { return }
        if let length { try count(texts.count, length, field, of: things, as: presence, needed: needed) }
        guard let rule = form?.rule else { return }
        for (index, text) in texts.enumerated() where !rule.takes(text) {
            let field = "\(field)[\(index)]"
            if rule.needsVisible, !FieldText.isVisible(text) { throw missing(field, rule.needed ?? "", nil, "") }
            throw rule.refusal(field, text)
        }
    }

    // MARK: answers

    /// Refuses a field that only answers have.
    package static func answered(_ isAbsent: Bool, _ field: String) throws(Refusal) {
        guard isAbsent else { throw Refusal(field, "it is set; only answers have it") }
    }

    // MARK: words

    static func missing(_ field: String, _ needed: String, _ length: ClosedRange<Int>?, _ things: String) -> Refusal {
        if !needed.isEmpty { return Refusal(missing: field, needed: needed) }
        guard let length else { return Refusal(missing: field, needed: "a text is") }
        return Refusal(missing: field, needed: "\(max(1, length.lowerBound)) to \(length.upperBound) \(things) are")
    }

    /// What a number of characters, entries or bytes may be, where `count` is none.
    static func allowed(_ length: ClosedRange<Int>, than count: Int) -> String {
        if length.count == 1 { return "\(length.lowerBound) are" }
        return length.lowerBound > 1
            ? "\(length.lowerBound) to \(length.upperBound) are" : "at most \(length.upperBound) are"
    }
}
