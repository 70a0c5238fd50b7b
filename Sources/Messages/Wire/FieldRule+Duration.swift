package import FieldRules
package import Refusals

extension FieldRule {
    /// A span of time; nil is one that may be absent and is.
    package static func range(
        _ duration: DurationMessage?, _ range: ClosedRange<Duration>, _ field: String, allowed: String
    ) throws(Refusal) {
        guard let duration else { return }
        if let span = duration.duration, range.contains(span) { return }
        throw Refusal(field, "\(duration.seconds) s and \(duration.nanos) ns", allowed: allowed)
    }
}
