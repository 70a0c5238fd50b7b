/// Regular expressions (ECMA-262) of the texts that stand for a number in a range, for JSON Schema: a minimum there
/// says nothing of a number that is written as a text.
enum NumberPattern {
    /// Whole numbers, with all zeros and signs that are read.
    static func whole(_ range: ClosedRange<Int128>) -> String {
        let choices = [
            range.contains(0) ? "[+-]?0+" : nil, positive(range).map { "[+]?0*\(digits($0))" },
            negative(range).map { "-0*\(digits($0))" },
        ]
        return "^(?:\(choices.compactMap(\.self).joined(separator: "|")))$"
    }

    /// The most digits before the point.
    private static let longest = 12

    /// Numbers with up to so many digits behind the point, without an exponent. The ends of the range are whole, or a
    /// power of ten such as 0.001 as the lower one; `behind` is what stands behind each: "s".
    static func decimal(_ range: ClosedRange<Double>, places: Int, behind: String = "") -> String {
        let part = #"(?:\.[0-9]{1,\#(places)})?"#
        let zeros = #"0{1,\#(longest)}(?:\.0{1,\#(places)})?"#
        func upTo(_ least: Int128, _ most: Int128) -> [String] {
            guard most > 0 else { return [] }
            let below = least <= most - 1 ? [digits(least...(most - 1)) + part] : []
            // No more digits are read of a duration.
            let leading = "0{0,\(longest - "\(most)".count)}"
            return below.map { "\(leading)\($0)" } + [#"\#(leading)\#(most)(?:\.0{1,\#(places)})?"#]
        }
        var choices: [String] = range.contains(0) ? ["-?\(zeros)"] : []
        choices += upTo(Int128(max(0, range.lowerBound.rounded(.up))), Int128(max(0, range.upperBound)))
        let negative = upTo(Int128(max(0, -range.upperBound)), Int128(max(0, -range.lowerBound)))
        choices += negative.map { "-\($0)" }
        if range.lowerBound > 0, range.lowerBound < 1 {
            var leading = 0
            while range.lowerBound * Self.power(leading + 1) < 0.999_999 { leading += 1 }
            choices.append(#"0{1,9}\.[0-9]{0,\#(leading)}[1-9][0-9]{0,\#(places - leading - 1)}"#)
        }
        return "^(?:\(choices.joined(separator: "|")))\(behind)$"
    }

    private static func power(_ exponent: Int) -> Double { (0..<exponent).reduce(1) { product, _ in product * 10 } }

    private static func positive(_ range: ClosedRange<Int128>) -> ClosedRange<Int128>? {
        range.upperBound > 0 ? max(1, range.lowerBound)...range.upperBound : nil
    }

    private static func negative(_ range: ClosedRange<Int128>) -> ClosedRange<Int128>? {
        range.lowerBound < 0 ? max(1, -range.upperBound)...(-range.lowerBound) : nil
    }

    /// Numbers from 0 on without leading zeros, one choice for each length.
    private static func digits(_ range: ClosedRange<Int128>) -> String {
        let (first, last) = ("\(range.lowerBound)", "\(range.upperBound)")
        let choices = (first.count...last.count).map { length in
            let from = length == first.count ? first : "1" + String(repeating: "0", count: length - 1)
            let to = length == last.count ? last : String(repeating: "9", count: length)
            return between(from[...], to[...])
        }
        return "(?:\(choices.joined(separator: "|")))"
    }

    /// Texts of the same number of digits.
    private static func between(_ from: Substring, _ to: Substring) -> String {
        guard let low = Int(from.prefix(1)), let high = Int(to.prefix(1)) else { return "" }
        let (lowRest, highRest) = (from.dropFirst(), to.dropFirst())
        let any = lowRest.isEmpty ? "" : "[0-9]{\(lowRest.count)}"
        if low == high { return "\(low)\(between(lowRest, highRest))" }
        // The first and the last digit may allow less behind them than those in between.
        let isLowWhole = lowRest.unicodeScalars.allSatisfy { $0 == "0" }
        let isHighWhole = highRest.unicodeScalars.allSatisfy { $0 == "9" }
        let (first, last) = (isLowWhole ? low : low + 1, isHighWhole ? high : high - 1)
        var choices: [String] = []
        if !isLowWhole { choices.append("\(low)\(between(lowRest, Substring(repeating: "9", count: lowRest.count)))") }
        if first <= last { choices.append("[\(first)-\(last)]\(any)") }
        if !isHighWhole {
            choices.append("\(high)\(between(Substring(repeating: "0", count: lowRest.count), highRest))")
        }
        return choices.count == 1 ? choices[0] : "(?:\(choices.joined(separator: "|")))"
    }
}
