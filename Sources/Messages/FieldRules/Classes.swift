/// Classes of characters for patterns.
enum Classes {
    /// White space and control characters of Unicode.
    static let space =
        #"\u0009-\u000d \u0085\u00a0\u1680\u2000\u2001\u2002-\u200a\u2028\u2029\u202f\u205f\u3000"#
    static let control = #"\u0000-\u001f\u007f-\u009f"#
    /// A character that is neither.
    static let mark = "[^\(space)\(control)]"
    /// A line whose first and last characters are visible; `more` says how many are between.
    static func line(_ more: String) -> String {
        #"[\#(space)]*\#(mark)(?:[^\#(control)\u2028\u2029]\#(more)\#(mark))?[\#(space)]*"#
    }
}
