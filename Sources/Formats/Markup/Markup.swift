/// Text as it stands in HTML, SVG and XML: the only place where signs are escaped for them. It goes by scalars, since a
/// browser does: of a "<" that forms one Character with what stands before it, Swift would say that it is none.
package enum Markup {
    /// For the text of an element, and for an attribute in quotes of either kind. What XML can't hold, such as U+0000,
    /// becomes U+FFFD.
    package static func escaped(_ text: String) -> String {
        guard text.utf8.contains(where: isSpecial) else { return text }
        var escaped = ""
        escaped.reserveCapacity(text.utf8.count + text.utf8.count / 8)
        for scalar in text.unicodeScalars {
            if let name = name(of: scalar) { escaped += name } else { escaped.unicodeScalars.append(scalar) }
        }
        return escaped
    }

    /// Whether a byte may begin what is written in another way.
    private static func isSpecial(_ byte: UInt8) -> Bool {
        switch byte {
        case ..<0x20, UInt8(ascii: "\""), UInt8(ascii: "&"), UInt8(ascii: "'"), UInt8(ascii: "<"), UInt8(ascii: ">"),
            0xef:
            true
        default: false
        }
    }

    private static func name(of scalar: Unicode.Scalar) -> String? {
        switch scalar {
        case "&": "&amp;"
        case "<": "&lt;"
        case ">": "&gt;"
        case "\"": "&quot;"
        case "'": "&#39;"
        case "\r": "&#13;"
        case "\n", "\t": nil
        case "\0"..."\u{1f}", "\u{fffe}", "\u{ffff}": "\u{fffd}"
        default: nil
        }
    }
}
