/// Bytes in JSON strings (RFC 4648): written in the standard alphabet with padding, read in the URL-safe one too,
/// with padding or without.
package enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let padding = UInt8(ascii: "=")
    private static let none: UInt8 = 64

    /// The value of each character.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: none, count: 256)
        for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
        values[Int(UInt8(ascii: "-"))] = 62
        values[Int(UInt8(ascii: "_"))] = 63
        return values
    }()

    package static func encode(_ bytes: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        let (bytes, alphabet) = (bytes.span, alphabet.span)
        var start = 0
        while start < bytes.count {
            // What lies behind the end counts as zeros, and is not written.
            let count = min(3, bytes.count - start)
            let second = count > 1 ? UInt32(bytes[start + 1]) : 0
            let third = count > 2 ? UInt32(bytes[start + 2]) : 0
            let group = UInt32(bytes[start]) << 16 | second << 8 | third
            text.append(alphabet[Int(group >> 18)])
            text.append(alphabet[Int(group >> 12 & 63)])
            text.append(count > 1 ? alphabet[Int(group >> 6 & 63)] : padding)
            text.append(count > 2 ? alphabet[Int(group & 63)] : padding)
            start += 3
        }
        return text
    }

    /// Nil for what is no base64.
    package static func decode(_ text: Span<UInt8>) -> [UInt8]? {
        let values = values.span
        var end = text.count
        if end % 4 == 0, end > 0, text[end - 1] == padding { end -= text[end - 2] == padding ? 2 : 1 }
        guard end % 4 != 1 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(end / 4 * 3 + 2)
        var start = 0
        while end - start >= 4 {
            let (first, second) = (values[Int(text[start])], values[Int(text[start + 1])])
            let (third, fourth) = (values[Int(text[start + 2])], values[Int(text[start + 3])])
            // It is the only one with its bit.
            if (first | second | third | fourth) & none != 0 { return nil }
            bytes.append(first << 2 | second >> 4)
            bytes.append(second << 4 | third >> 2)
            bytes.append(third << 6 | fourth)
            start += 4
        }
        // One byte is left in two characters, or two in three.
        let rest = end - start
        if rest == 0 { return bytes }
        let (first, second) = (values[Int(text[start])], values[Int(text[start + 1])])
        let third = rest == 3 ? values[Int(text[start + 2])] : 0
        if (first | second | third) & none != 0 { return nil }
        bytes.append(first << 2 | second >> 4)
        if rest == 3 { bytes.append(second << 4 | third >> 2) }
        return bytes
    }
}
