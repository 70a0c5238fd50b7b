/// What a sign can be joined with to one Character, which then equals the sign no longer for Swift, though it does for
/// every browser and terminal: each a place where text from outside has got past a decision.
package struct Joiner: CustomStringConvertible, Sendable {
    private let before: String
    private let after: String

    /// The sign, joined.
    package func around(_ sign: String) -> String { before + sign + after }

    /// A whole text with each of its signs joined.
    package func through(_ text: String) -> String {
        text.unicodeScalars.map { around(String($0)) }.joined()
    }

    package var description: String {
        (before + "_" + after).unicodeScalars.map { "U+" + String($0.value, radix: 16, uppercase: true) }.joined(
            separator: " ")
    }

    /// Letters and signs of class Prepend before it, marks and joiners behind it, half a flag, and the two ends of a
    /// line, which are one Character.
    package static let all =
        ["\u{0d4e}", "\u{0600}", "\u{06dd}", "\u{110bd}", "\u{111c2}"].map { Joiner(before: $0, after: "") }
        + ["\u{301}", "\u{fe0f}", "\u{200d}", "\u{200c}", "\u{0903}", "\u{20e3}", "\u{e0061}", "\u{1f3fb}"].map {
            Joiner(before: "", after: $0)
        }
        + [
            Joiner(before: "\u{0d4e}", after: "\u{301}\u{fe0f}"), Joiner(before: "\u{1f1eb}", after: "\u{1f1ee}"),
            Joiner(before: "\r", after: "\n"), Joiner(before: "\n", after: "\r"),
        ]
}
