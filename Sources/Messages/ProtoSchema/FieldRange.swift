/// Which numbers a field may have, ends included: the option (waymark.rpc.v1.range).
package struct FieldRange: Sendable, Hashable {
    /// The smallest.
    package var minimum = 0.0
    /// The largest.
    package var maximum = 0.0
    /// What holds when the field is not given.
    package var whenAbsent: Double?
    /// What it counts, for sentences: "metres". Empty when the field's name says it.
    package var unit = ""
    /// What is allowed, in words and with its verb, where the numbers do not read well: "1 minute to 10 years are".
    package var allowed = ""
    /// Whether a setting says what is allowed, and the service itself checks.
    package var isBySetting = false

    /// As the end of a comment: "From 1 to 1,000; 100 when not given." `unit` stands behind the ends: "seconds".
    package func sentence(unit: String = "") -> String {
        let ends = "From \(Self.text(minimum)) to \(Self.text(maximum))\(unit.isEmpty ? "" : " \(unit)")"
        return whenAbsent.map { "\(ends); \(Self.text($0)) when not given." } ?? "\(ends)."
    }

    private static func text(_ number: Double) -> String {
        guard let whole = Int(exactly: number) else { return "\(number)" }
        var digits = String(whole.magnitude)
        var groups: [String] = []
        while digits.count > 3 {
            groups.insert(String(digits.suffix(3)), at: 0)
            digits.removeLast(3)
        }
        return (whole < 0 ? "-" : "") + ([digits] + groups).joined(separator: ",")
    }
}

extension FieldRange {
    /// Reads a packed waymark.rpc.v1.Range; nil when the bytes are none. They may be of another program.
    init?(packed bytes: some Sequence<UInt8>) {
        var rest = Array(bytes)[...]
        while let tag = rest.popFirst() {
            if tag == 4 << 3 | 2 || tag == 5 << 3 | 2 {
                guard let text = rest.popText() else { return nil }
                if tag >> 3 == 4 { unit = text } else { allowed = text }
                continue
            }
            if tag == 6 << 3 {
                guard let value = rest.popFirst() else { return nil }
                isBySetting = value != 0
                continue
            }
            // Fields 1 to 3, eight bytes each.
            guard tag & 7 == 1, rest.count >= 8 else { return nil }
            let pattern = rest.prefix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            rest = rest.dropFirst(8)
            switch tag >> 3 {
            case 1: minimum = Double(bitPattern: pattern)
            case 2: maximum = Double(bitPattern: pattern)
            case 3: whenAbsent = Double(bitPattern: pattern)
            default: return nil
            }
        }
    }
}
