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

    /// The same as an Int.
    package func checkedCount(_ given: UInt32?) throws(Refusal) -> Int { Int(clamping: try checked(given)) }
}

/// The bounds of fields in requests, all in one place: the same field has the same limits at every entrance.
package enum Bounds {
    /// How far around a point is searched, in metres.
    package static let radius = Bound("radius_m", 0.0...100_000, default: 1_000, unit: "metres")
    /// How far around a pin places are linked, in metres.
    package static let pinRadius = Bound("radius_m", 50.0...20_000, default: 1_000, unit: "metres")
    /// How far around a point live networks are asked, in metres.
    package static let discoveryRadius = Bound("radius_m", 1.0...20_000, default: 1_000, unit: "metres")
    /// How many results near a point or in a box are returned.
    package static let limit = Bound<UInt32>("limit", 1...200, default: 20)
    /// How many matches of a text are returned.
    package static let matches = Bound<UInt32>("limit", 1...50, default: 10)

    /// How many results are on a page.
    package static func pageSize(upTo most: UInt32, default standard: UInt32 = 100) -> Bound<UInt32> {
        Bound("page_size", 1...most, default: standard)
    }
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
    static func text<Number>(_ range: ClosedRange<Number>, _ unit: String) -> String {
        "\(text(of: range.lowerBound)) to \(text(of: range.upperBound))\(unit.isEmpty ? "" : " \(unit)")"
    }

    /// Whole numbers without a fraction.
    private static func text(of number: some Any) -> String {
        switch number {
        case let number as Double: Int(exactly: number).map { text($0) } ?? "\(number)"
        case let number as UInt32: text(Int(number))
        default: "\(number)"
        }
    }
}
