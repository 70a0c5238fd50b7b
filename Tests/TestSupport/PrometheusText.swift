/// What a scrape gave, read as strictly as the format is written down (text format 0.0.4,
/// https://prometheus.io/docs/instrumenting/exposition_formats/).
package struct PrometheusText: Sendable {
    /// A line that is not as it has to be.
    package struct Malformed: Error, CustomStringConvertible {
        package let line: String
        package let reason: String
        package var description: String { "\(reason): \(line)" }
    }

    package struct Sample: Sendable {
        package let name: String
        package let labels: [String: String]
        package let value: Double
    }

    package struct Family: Sendable {
        package let name: String
        package let help: String
        package fileprivate(set) var type = ""
        package fileprivate(set) var samples: [Sample] = []
    }

    package private(set) var families: [Family] = []

    package init(_ text: String) throws(Malformed) {
        guard text.hasSuffix("\n") else { throw Malformed(line: String(text.suffix(80)), reason: "no end of line") }
        var seen: Set<String> = []
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
            try read(String(line), &seen)
        }
        for family in families where family.type == "histogram" { try Self.checkHistogram(family) }
    }

    /// The value of a metric without labels, or with these.
    package func value(_ name: String, _ labels: [String: String] = [:]) -> Double? {
        families.flatMap(\.samples).first { $0.name == name && $0.labels == labels }?.value
    }

    private mutating func read(_ line: String, _ seen: inout Set<String>) throws(Malformed) {
        let words = line.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false).map(String.init)
        if words.first == "#" {
            guard words.count == 4, Self.isName(words[2]) else { throw Malformed(line: line, reason: "bad comment") }
            return try readComment(words, line)
        }
        let sample = try Self.sample(line)
        guard let family = families.last, !family.type.isEmpty, Self.names(of: family).contains(sample.name) else {
            throw Malformed(line: line, reason: "a sample that is not of the metric before it")
        }
        let identity = "\(sample.name) \(sample.labels.sorted { $0.key < $1.key })"
        guard seen.insert(identity).inserted else { throw Malformed(line: line, reason: "told twice") }
        guard family.type == "gauge" || sample.value >= 0 else { throw Malformed(line: line, reason: "below 0") }
        families[families.count - 1].samples.append(sample)
    }

    private mutating func readComment(_ words: [String], _ line: String) throws(Malformed) {
        switch words[1] {
        case "HELP":
            guard !families.contains(where: { $0.name == words[2] }) else {
                throw Malformed(line: line, reason: "the metric is in two places")
            }
            families.append(Family(name: words[2], help: words[3]))
        case "TYPE":
            guard families.last?.name == words[2], families.last?.type.isEmpty == true,
                ["counter", "gauge", "histogram"].contains(words[3])
            else { throw Malformed(line: line, reason: "a type out of place") }
            families[families.count - 1].type = words[3]
        default: throw Malformed(line: line, reason: "an unknown comment")
        }
    }

    private static func names(of family: Family) -> [String] {
        family.type == "histogram" ? ["_bucket", "_sum", "_count"].map { family.name + $0 } : [family.name]
    }

    /// `name{label="value",…} number`
    private static func sample(_ line: String) throws(Malformed) -> Sample {
        var rest = line[...]
        let name = String(rest.prefix { $0 != "{" && $0 != " " })
        rest = rest.dropFirst(name.count)
        guard isName(name) else { throw Malformed(line: line, reason: "a bad name") }
        var labels: [String: String] = [:]
        if rest.first == "{" {
            rest = rest.dropFirst()
            while rest.first != "}" {
                let (label, value) = try self.label(&rest, line)
                guard labels.updateValue(value, forKey: label) == nil else {
                    throw Malformed(line: line, reason: "a label is there twice")
                }
                if rest.first == "," { rest = rest.dropFirst() }
            }
            rest = rest.dropFirst()
        }
        guard rest.first == " ", let value = number(rest.dropFirst()) else {
            throw Malformed(line: line, reason: "a bad value")
        }
        return Sample(name: name, labels: labels, value: value)
    }

    private static func label(_ rest: inout Substring, _ line: String) throws(Malformed) -> (String, String) {
        let name = String(rest.prefix { $0 != "=" })
        rest = rest.dropFirst(name.count)
        guard isName(name), rest.hasPrefix("=\"") else { throw Malformed(line: line, reason: "a bad label") }
        rest = rest.dropFirst(2)
        var value = ""
        while let character = rest.popFirst(), character != "\"" {
            guard character == "\\" else {
                value.append(character)
                continue
            }
            switch rest.popFirst() {
            case "n": value.append("\n")
            case "\\": value.append("\\")
            case "\"": value.append("\"")
            default: throw Malformed(line: line, reason: "a bad escape")
            }
        }
        guard rest.first == "," || rest.first == "}" else { throw Malformed(line: line, reason: "an open label") }
        return (name, value)
    }

    private static func number(_ text: Substring) -> Double? {
        switch text {
        case "+Inf": .infinity
        case "-Inf": -.infinity
        case "NaN": .nan
        default: text.contains { $0.isLetter && $0 != "e" } ? nil : Double(text)
        }
    }

    private static func isName(_ text: String) -> Bool {
        guard let first = text.utf8.first, !(48...57).contains(first) else { return false }
        return text.utf8.allSatisfy { byte in
            (48...58).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte) || byte == 95
        }
    }

    /// Each set of labels has buckets with rising bounds and counts, up to +Inf, which has them all.
    private static func checkHistogram(_ family: Family) throws(Malformed) {
        var bounds: [[String: String]: [(bound: Double, count: Double)]] = [:]
        for sample in family.samples where sample.name == family.name + "_bucket" {
            var labels = sample.labels
            guard let text = labels.removeValue(forKey: "le"), let bound = number(text[...]) else {
                throw Malformed(line: family.name, reason: "a bucket without a bound")
            }
            bounds[labels, default: []].append((bound, sample.value))
        }
        for (labels, buckets) in bounds {
            let total = family.samples.first { $0.name == family.name + "_count" && $0.labels == labels }?.value
            let hasSum = family.samples.contains { $0.name == family.name + "_sum" && $0.labels == labels }
            let rises = zip(buckets, buckets.dropFirst()).allSatisfy { $0.bound < $1.bound && $0.count <= $1.count }
            guard rises, hasSum, let last = buckets.last, last.bound == .infinity, last.count == total else {
                throw Malformed(line: "\(family.name) \(labels)", reason: "not a histogram")
            }
        }
        let sets = Set(family.samples.filter { $0.name == family.name + "_count" }.map(\.labels))
        guard sets == Set(bounds.keys) else { throw Malformed(line: family.name, reason: "counts without buckets") }
    }
}
