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
