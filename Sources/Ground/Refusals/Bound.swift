/// The range of a number in a request, and its default.
package struct Bound<Number: Comparable & Sendable>: Sendable {
    /// Its name in the .proto: "radius_m".
    package let field: String
    package let range: ClosedRange<Number>
    package let standard: Number
    /// The unit, for the message: "metres". Empty when the field's name says it.
    private let unit: String

    package init(_ field: String, _ range: ClosedRange<Number>, default standard: Number, unit: String = "") {
        self.field = field
        self.range = range
        self.standard = standard
        self.unit = unit
    }

    private func take(_ given: Number?) throws(Refusal) -> Number {
        let number = given ?? standard
        guard range.contains(number) else {
            throw Refusal(field, "\(number)", allowed: "\(GroupedNumber.text(range, unit)) are")
        }
        return number
    }
}

// One overload per type: in other modules a generic function would not be specialized.

extension Bound<Double> {
    /// The given number, or the default; refused when it is out of range.
    package func checked(_ given: Double?) throws(Refusal) -> Double { try take(given) }
}

extension Bound<UInt32> {
    /// The given number, or the default; refused when it is out of range.
    package func checked(_ given: UInt32?) throws(Refusal) -> UInt32 { try take(given) }
}

/// Numbers as people write them.
package enum GroupedNumber {
    /// "1,000"
    package static func text(_ number: Int) -> String {
        let digits = String(number.magnitude)
        var text = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { text.append(",") }
            text.append(digit)
        }
        return number < 0 ? "-\(text)" : text
    }

    /// "0 to 100,000 metres"
    package static func text<Number>(_ range: ClosedRange<Number>, _ unit: String) -> String {
        "\(text(of: range.lowerBound)) to \(text(of: range.upperBound))\(unit.isEmpty ? "" : " \(unit)")"
    }

    /// Whole numbers without a fraction.
    private static func text(of number: some Any) -> String {
        switch number {
        case let number as Double: Int(exactly: number).map { text($0) } ?? "\(number)"
        case let number as any BinaryInteger: text(Int(clamping: number))
        default: "\(number)"
        }
    }
}
