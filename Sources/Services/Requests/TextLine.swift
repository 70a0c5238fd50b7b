package import Refusals

/// One line of text in a request: a name that people see.
package enum TextLine {
    private static let endsLine: Set<Unicode.GeneralCategory> = [.control, .lineSeparator, .paragraphSeparator]

    /// The text without white space around it; nil when nothing visible is left.
    /// - Parameters:
    ///   - field: its path in the .proto.
    ///   - most: how many characters it may have, as the .proto says.
    package static func checked(_ given: String, _ field: String, most: Int) throws(Refusal) -> String? {
        let scalars = given.unicodeScalars
        guard scalars.contains(where: { !$0.properties.isWhitespace && !$0.properties.isDefaultIgnorableCodePoint }),
            let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
            let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
        else { return nil }
        let text = scalars[first...last]
        guard text.count <= most else { throw Refusal(field, text.count, "characters", allowed: "at most \(most) are") }
        // What is printable in ASCII needs no look-up.
        let isLine = text.allSatisfy { (" "..."~").contains($0) || !endsLine.contains($0.properties.generalCategory) }
        guard isLine else {
            throw Refusal(field, "a control character or a line's end", allowed: "one line of text is")
        }
        return String(text)
    }
}
