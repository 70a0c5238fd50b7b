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
    func checked(_ given: String) throws(PhotoError) -> String {
        let scalars = given.unicodeScalars
        guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
            let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
        else { return "" }
        let text = scalars[first...last]
        guard text.count <= characters else {
            throw .invalid(field: field, "\(text.count) characters are given, at most \(characters) are allowed")
        }
        guard text.allSatisfy(isAllowed) else {
            throw .invalid(
                field: field, "it holds a control character; \(allowsLines ? "lines" : "one line") of text is allowed")
        }
        return String(text)
    }

    /// Whether a text may hold it.
    func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory != .control || allowsLines && ["\t", "\n", "\r"].contains(scalar)
    }
}

extension TextLimit {
    /// The nearest text that is allowed to what a camera or a program wrote into a picture: up to the first zero, UTF-8
    /// or else Latin-1, control characters become blanks, and what is too long is cut.
    func fitted(_ bytes: [UInt8]) -> String {
        let bytes = Array(bytes.prefix { $0 != 0 })
        let text = String(validating: bytes, as: UTF8.self) ?? String(decoding: bytes.map(UInt16.init), as: UTF16.self)
        let allowed = text.unicodeScalars.map { isAllowed($0) ? $0 : " " }
        var scalars = allowed.drop(while: \.properties.isWhitespace).prefix(characters)
        while let last = scalars.last, last.properties.isWhitespace { scalars.removeLast() }
        return String(String.UnicodeScalarView(scalars))
    }
}
