/// How a word stands out (ECMA-48, Select Graphic Rendition).
package enum Style: String, Sendable {
    case plain = ""
    case bold = "1"
    case faint = "2"
    case green = "32"
    case red = "31"
    case yellow = "33"
    case purple = "35"

    /// The text with this look, where colours may be used.
    package func paint(_ text: String, on sink: TextSink) -> String {
        guard sink.hasColours, self != .plain, !text.isEmpty else { return text }
        return "\u{1B}[\(rawValue)m\(text)\u{1B}[0m"
    }
}

/// A line whose parts stand out differently.
package struct StyledLine: Sendable, Equatable {
    private struct Part: Equatable {
        let text: String
        let style: Style
    }

    private var parts: [Part] = []

    package init(_ text: String = "", _ style: Style = .plain) { append(text, style) }

    /// Adds a part at the end. What could harm a terminal is taken out.
    package mutating func append(_ text: String, _ style: Style = .plain) {
        if !text.isEmpty { parts.append(Part(text: text.printable, style: style)) }
    }

    /// The same with one more part.
    package func adding(_ text: String, _ style: Style = .plain) -> StyledLine {
        var line = self
        line.append(text, style)
        return line
    }

    /// As it looks on `sink`, cut to its width with an ellipsis.
    package func text(on sink: TextSink) -> String {
        let width = parts.reduce(0) { $0 + DisplayWidth.of($1.text) }
        guard let limit = sink.width, width > limit else { return painted(parts, on: sink) }
        var kept: [Part] = []
        var left = limit - 1
        for part in parts {
            let width = DisplayWidth.of(part.text)
            if width > left {
                kept.append(Part(text: DisplayWidth.cut(part.text + "…", to: left + 1), style: part.style))
                break
            }
            kept.append(part)
            left -= width
        }
        return painted(kept, on: sink)
    }

    private func painted(_ parts: [Part], on sink: TextSink) -> String {
        parts.map { $0.style.paint($0.text, on: sink) }.joined()
    }
}
