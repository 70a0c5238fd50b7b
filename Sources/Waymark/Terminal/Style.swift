/// How a word stands out (ECMA-48, Select Graphic Rendition).
enum Style: String, Sendable {
    case plain = ""
    case bold = "1"
    case faint = "2"
    case green = "32"
    case red = "31"
    case yellow = "33"
    case purple = "35"

    /// The text with this look, where colours may be used.
    func paint(_ text: String, on sink: TextSink) -> String {
        guard sink.hasColours, self != .plain, !text.isEmpty else { return text }
        return "\u{1B}[\(rawValue)m\(text)\u{1B}[0m"
    }
}
