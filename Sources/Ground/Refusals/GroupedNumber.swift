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
