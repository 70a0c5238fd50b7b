/// Text of networks as one plain line.
enum PlainText {
    /// Characters of HTML that are looked at.
    private static let longest = 20_000
    private static let entities = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "#39": "'", "nbsp": " "]

    /// The text of a piece of HTML: without its tags, and without what is hidden.
    static func ofHTML(_ html: String) -> String {
        var (text, rest) = ("", html.prefix(longest))
        var hiddenDepth = 0
        while let open = rest.firstIndex(of: "<") {
            if hiddenDepth == 0 { text += rest[..<open] }
            guard let close = rest[open...].firstIndex(of: ">") else { return decoded(text) }
            let tag = rest[rest.index(after: open)..<close].lowercased()
            if hiddenDepth > 0 {
                if tag.hasPrefix("/") { hiddenDepth -= 1 } else if !isEmpty(tag) { hiddenDepth += 1 }
            } else if tag.contains("display:none") || tag.contains("display: none") {
                hiddenDepth = 1
            }
            rest = rest[rest.index(after: close)...]
        }
        return decoded(text + (hiddenDepth == 0 ? rest : ""))
    }

    /// One line without control characters, and without spaces at its ends and next to each other; of at most `limit`
    /// Unicode scalars.
    static func line(_ text: String, limit: Int) -> String {
        let visible = text.unicodeScalars.map { scalar in
            scalar.properties.generalCategory == .control || scalar.properties.isWhitespace ? " " : Character(scalar)
        }
        return String(
            String(visible).split(separator: " ").joined(separator: " ").unicodeScalars.prefix(limit))
    }

    /// Tags that nothing ends.
    private static func isEmpty(_ tag: String) -> Bool {
        tag.hasSuffix("/") || ["br", "img", "hr", "wbr"].contains { tag == $0 || tag.hasPrefix($0 + " ") }
    }

    private static func decoded(_ text: String) -> String {
        var (plain, rest) = ("", text[...])
        while let start = rest.firstIndex(of: "&") {
            plain += rest[..<start]
            let name = rest[rest.index(after: start)...].prefix(8).prefix { $0 != ";" }
            if let character = entities[String(name)] {
                plain += character
                rest = rest[name.endIndex...].dropFirst()
            } else {
                plain += "&"
                rest = rest[rest.index(after: start)...]
            }
        }
        return plain + rest
    }
}
