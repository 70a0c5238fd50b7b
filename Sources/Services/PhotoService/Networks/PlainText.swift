import Bytes

/// Text of networks as one plain line.
enum PlainText {
    /// Scalars of HTML that are looked at.
    private static let longest = 20_000
    private static let entities = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "#39": "'", "nbsp": " "]

    /// The text of a piece of HTML: without its tags, and without what is hidden.
    static func ofHTML(_ html: String) -> String {
        var (text, rest) = ("", Substring(html.unicodeScalars.prefix(longest)))
        var hiddenDepth = 0
        while let (before, behind) = rest.halves(at: "<") {
            if hiddenDepth == 0 { text += before }
            guard let (inside, next) = behind.halves(at: ">") else { return decoded(text) }
            let tag = inside.lowercased()
            if hiddenDepth > 0 {
                if tag.begins(with: "/") { hiddenDepth -= 1 } else if !isEmpty(tag) { hiddenDepth += 1 }
            } else if tag.holds("display:none") || tag.holds("display: none") {
                hiddenDepth = 1
            }
            rest = next
        }
        return decoded(text + (hiddenDepth == 0 ? rest : ""))
    }

    /// One line without control characters, and without spaces at its ends and next to each other; of at most `limit`
    /// Unicode scalars.
    static func line(_ text: String, limit: Int) -> String {
        let words = text.split(atScalars: { $0.isWhitespace || $0.properties.generalCategory == .control })
        return String(words.joined(separator: " ").unicodeScalars.prefix(limit))
    }

    /// Tags that nothing ends.
    private static func isEmpty(_ tag: String) -> Bool {
        tag.ends(with: "/") || ["br", "img", "hr", "wbr"].contains { tag == $0 || tag.begins(with: $0 + " ") }
    }

    private static func decoded(_ text: String) -> String {
        var (plain, rest) = ("", text[...])
        while let (before, behind) = rest.halves(at: "&") {
            plain += before
            // Not the whole rest: there may be as many "&" as it has signs.
            let name = Substring(behind.unicodeScalars.prefix(8)).until(";")
            if let sign = entities[String(name)], let next = behind[name.endIndex...].after(";") {
                plain += sign
                rest = next
            } else {
                plain += "&"
                rest = behind
            }
        }
        return plain + rest
    }
}
