import Bytes

extension String {
    /// Without blanks and line ends around it.
    package var withoutBlanks: String {
        guard let first = utf8.first, let last = utf8.last else { return self }
        // Mostly there are none.
        if (0x21...0x7e).contains(first), (0x21...0x7e).contains(last) { return self }
        let start = unicodeScalars.firstIndex { !$0.isWhitespace }
        let end = unicodeScalars.lastIndex { !$0.isWhitespace }
        guard let start, let end else { return "" }
        return String(unicodeScalars[start...end])
    }
}
