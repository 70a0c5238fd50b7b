import Refusals

/// What a field of text may hold.
struct TextLimit: Sendable {
    /// A caption. It may have lines.
    static let title = TextLimit(field: "photo.title", characters: 2_200, allowsLines: true)
    static let author = TextLimit(field: "photo.author", characters: 200, allowsLines: false)
    static let licence = TextLimit(field: "photo.licence", characters: 200, allowsLines: false)

    let field: String
    /// The longest text, in Unicode scalars.
    let characters: Int
    /// Whether tabs and line ends may be in it; other control characters never.
    let allowsLines: Bool

    /// The text without the white space around it.
    func checked(_ given: String) throws(Refusal) -> String {
        let scalars = given.unicodeScalars
        guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
            let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
        else { return "" }
        let text = scalars[first...last]
        guard text.count <= characters else {
            throw Refusal(field, text.count, "characters", allowed: "at most \(characters) are")
        }
        guard text.allSatisfy(isAllowed) else {
            throw Refusal(
                field, "a control character", allowed: allowsLines ? "lines of text are" : "one line of text is")
        }
        return String(text)
    }

    /// Whether a text may hold it.
    func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory != .control || allowsLines && ["\t", "\n", "\r"].contains(scalar)
    }
}
