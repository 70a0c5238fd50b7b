import PhotoContracts

/// The limits of a text field.
struct TextLimit: Sendable {
    /// A caption. It may have lines.
    static let title = TextLimit(characters: PhotoContracts.Photo.titleLength.upperBound, allowsLines: true)
    static let author = TextLimit(characters: PhotoContracts.Photo.authorLength.upperBound, allowsLines: false)
    static let licence = TextLimit(characters: PhotoContracts.Photo.licenceLength.upperBound, allowsLines: false)

    /// The longest text, in Unicode scalars.
    let characters: Int
    /// Whether it may contain tabs and line ends; other control characters are never allowed.
    let allowsLines: Bool

    /// Whether a text may contain it.
    func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control: allowsLines && ["\t", "\n", "\r"].contains(scalar)
        case .lineSeparator, .paragraphSeparator: allowsLines
        default: true
        }
    }
}

extension TextLimit {
    /// The nearest allowed text to what a camera or a program wrote into a picture: up to the first zero, UTF-8 or else
    /// Latin-1, control characters become blanks, and text that is too long is cut.
    func fitted(_ bytes: [UInt8]) -> String {
        let bytes = Array(bytes.prefix { $0 != 0 })
        return fitted(
            String(validating: bytes, as: UTF8.self) ?? String(decoding: bytes.map(UInt16.init), as: UTF16.self))
    }

    /// The nearest allowed text: control characters become blanks, and text that is too long is cut.
    func fitted(_ text: String) -> String {
        let allowed = text.unicodeScalars.map { isAllowed($0) ? $0 : " " }
        var scalars = allowed.drop(while: \.properties.isWhitespace).prefix(characters)
        while let last = scalars.last, last.properties.isWhitespace { scalars.removeLast() }
        return String(String.UnicodeScalarView(scalars))
    }
}
