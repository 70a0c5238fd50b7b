import EventLoops

/// Metrics in the text format 0.0.4 of Prometheus (https://prometheus.io/docs/instrumenting/exposition_formats/).
struct MetricText {
    static let mediaType = "text/plain; version=0.0.4; charset=utf-8"

    /// Samples of one metric; more are left out, so that a mistake in a label does not become a flood.
    static let maximumSamples = 2000

    private(set) var text = ""

    /// Appends one metric. Those without a sample are left out.
    mutating func append(_ family: MetricFamily) {
        guard !family.samples.isEmpty else { return }
        text += "# HELP \(family.name) \(Self.escaped(family.help))\n# TYPE \(family.name) \(family.kind.rawValue)\n"
        for sample in family.samples.prefix(Self.maximumSamples) { append(sample, family.name) }
    }

    private mutating func append(_ sample: MetricSample, _ name: String) {
        let labels = sample.labels.map { "\($0.key)=\"\(Self.escaped($0.value, quotes: true))\"" }
        switch sample.value {
        case .count(let count): line(name, labels, "\(count)")
        case .number(let number): line(name, labels, Self.number(number))
        case .durations(let durations): append(durations, name, labels)
        }
    }

    /// One bucket for each doubling; each includes all shorter durations, as the format requires. Our upper bounds are
    /// exclusive, those of the format inclusive: a difference of a nanosecond.
    private mutating func append(_ durations: DurationCounts, _ name: String, _ labels: [String]) {
        var below: UInt64 = 0
        for (index, count) in durations.buckets.enumerated() {
            below &+= count
            guard index % DurationBuckets.perDoubling == 0, index < DurationBuckets.count - 1 else { continue }
            let bound = Self.number(Double(DurationBuckets.upperBound(index)) / 1e9)
            line(name + "_bucket", labels + ["le=\"\(bound)\""], "\(below)")
        }
        line(name + "_bucket", labels + ["le=\"+Inf\""], "\(below)")
        line(name + "_sum", labels, Self.number(Double(durations.nanoseconds) / 1e9))
        line(name + "_count", labels, "\(below)")
    }

    private mutating func line(_ name: String, _ labels: [String], _ value: String) {
        text += name
        if !labels.isEmpty { text += "{\(labels.joined(separator: ","))}" }
        text += " \(value)\n"
    }

    private static func number(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        guard value.isFinite else { return value < 0 ? "-Inf" : "+Inf" }
        return "\(value)"
    }

    private static func escaped(_ text: String, quotes: Bool = false) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": escaped += "\\\\"
            case "\n": escaped += "\\n"
            case "\"" where quotes: escaped += "\\\""
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
