package import EventLoops

/// One metric: its name, what it means, and its value for each set of labels.
package struct MetricFamily: Sendable {
    package enum Kind: String, Sendable { case counter, gauge, histogram }

    /// "waymark_rpc_server_calls_total"
    package let name: String
    package let kind: Kind
    /// A sentence that explains it.
    package let help: String
    package var samples: [MetricSample]

    /// `name` has letters, digits and underscores, and ends with its unit, or "total" for a counter.
    package init(_ name: String, _ kind: Kind, _ help: String, _ samples: [MetricSample]) {
        precondition(MetricSample.isName(name), "\(name) is no name for a metric")
        self.name = name
        self.kind = kind
        self.help = help
        self.samples = samples
    }

    /// A metric that has one value.
    package init(_ name: String, _ kind: Kind, _ help: String, _ value: MetricSample.Value) {
        self.init(name, kind, help, [MetricSample([:], value)])
    }
}

/// One value of a metric.
package struct MetricSample: Sendable {
    package enum Value: Sendable {
        case count(UInt64)
        case number(Double)
        case durations(DurationCounts)
    }

    /// Names and values. The values must come from a set that no outsider can enlarge: methods that exist, not methods
    /// that were requested.
    package let labels: KeyValuePairs<String, String>
    package let value: Value

    package init(_ labels: KeyValuePairs<String, String>, _ value: Value) {
        for (name, _) in labels { precondition(Self.isName(name), "\(name) is no name for a label") }
        self.labels = labels
        self.value = value
    }

    static func isName(_ text: String) -> Bool {
        guard let first = text.utf8.first, !(48...57).contains(first) else { return false }
        return text.utf8.allSatisfy { byte in
            (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
                || byte == UInt8(ascii: "_")
        }
    }
}
