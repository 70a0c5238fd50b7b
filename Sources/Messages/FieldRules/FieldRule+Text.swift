package import Refusals

extension FieldRule {
    /// One text; nil is one that may be absent and is.
    package static func text(
        _ text: String?, _ field: String, _ form: FieldForm? = nil, length: ClosedRange<Int>? = nil,
        as presence: Presence = .free, needed: String = ""
    ) throws(Refusal) {
        guard let text, !text.isEmpty || presence != .free else { return }
        guard let form else {
            if text.isEmpty, presence == .required { throw missing(field, needed, length, "characters") }
            return try check(text, text[...], length, field)
        }
        let rule = form.rule
        let mustShow = rule.needsVisible || rule.trims && presence == .required
        if mustShow, !FieldText.isVisible(text), !rule.needsVisible || !rule.takes(text) {
            throw missing(field, needed.isEmpty ? rule.needed ?? "" : needed, length, "characters")
        }
        if text.isEmpty, presence == .required, let words = rule.needed { throw missing(field, words, nil, "") }
        try check(text, rule.trims ? FieldText.trimmed(text) : text[...], length, field)
        if !rule.takes(text) { throw rule.refusal(field, text) }
    }

    /// A line that comes from elsewhere, without the white space around it; empty when a request may not have it.
    package static func line(_ found: String, length: ClosedRange<Int>) -> String {
        let checked: Void? = try? text(found, "", .line, length: length)
        return checked == nil ? "" : FieldText.line(found)
    }

    /// Whether it is not too long. A text has no more scalars than bytes, which are counted at once.
    private static func check(
        _ text: String, _ counted: Substring, _ length: ClosedRange<Int>?, _ field: String
    ) throws(Refusal) {
        guard let length, text.utf8.count > length.upperBound || length.lowerBound > 1 else { return }
        let count = FieldText.count(counted)
        if length.contains(count) || count == 0 { return }
        throw Refusal(field, count, "characters", allowed: allowed(length, than: count))
    }
}
