/// What forms ask about a text, scalar by scalar.
package enum FieldText {
    /// Whether something can be seen of it.
    package static func isVisible(_ text: String) -> Bool {
        text.unicodeScalars.contains { scalar in
            if scalar.isASCII { return !isSpace(scalar) }
            return !scalar.properties.isWhitespace && !scalar.properties.isDefaultIgnorableCodePoint
        }
    }

    /// The text without white space around it.
    package static func trimmed(_ text: String) -> Substring {
        let scalars = text.unicodeScalars
        guard let first = scalars.firstIndex(where: { !isSpace($0) }),
            let last = scalars.lastIndex(where: { !isSpace($0) })
        else { return "" }
        return Substring(scalars[first...last])
    }

    /// One line of text for people, without the white space around it; empty when nothing of it can be seen.
    package static func line(_ text: String) -> String { isVisible(text) ? String(trimmed(text)) : "" }

    /// Whether it is one line, without control characters.
    static func isLine(_ text: Substring) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in
            if scalar.isASCII { return !isControl(scalar) }
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: return false
            default: return true
            }
        }
    }

    /// Whether it is lines, without other control characters.
    static func isLines(_ text: Substring) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in
            if scalar.isASCII { return !isControl(scalar) || "\t\n\r".unicodeScalars.contains(scalar) }
            return scalar.properties.generalCategory != .control
        }
    }

    /// Whether there is no control character in it.
    static func isPlain(_ text: Substring) -> Bool {
        text.unicodeScalars.allSatisfy { $0.isASCII ? !isControl($0) : $0.value > 0x9f }
    }

    /// How many scalars it has.
    static func count(_ text: Substring) -> Int { text.unicodeScalars.count }

    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return scalar == " " || ("\t"..."\r").contains(scalar) }
        return scalar.properties.isWhitespace
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool { scalar.value < 0x20 || scalar.value == 0x7f }
}

/// Bytes of ASCII, by their kind.
enum ASCII {
    static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
    static func isSmallLetter(_ byte: UInt8) -> Bool { (0x61...0x7a).contains(byte) }
    static func isAnyLetter(_ byte: UInt8) -> Bool { isSmallLetter(byte | 0x20) }
    static func isHexDigit(_ byte: UInt8) -> Bool { isDigit(byte) || (0x61...0x66).contains(byte | 0x20) }
    /// Neither a blank nor a control character.
    static func isVisible(_ byte: UInt8) -> Bool { (0x21...0x7e).contains(byte) }
    /// What names that programs give are made of.
    static func isWord(_ byte: UInt8) -> Bool {
        isSmallLetter(byte) || isDigit(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }
}
