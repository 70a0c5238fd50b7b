/// Bytes in JSON strings (RFC 4648): written in the standard alphabet with padding, read in the URL-safe one too,
/// with padding or without.
package enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let padding = UInt8(ascii: "=")
    private static let none: UInt8 = 64

    /// What each character stands for.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: none, count: 256)
        for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
        values[Int(UInt8(ascii: "-"))] = 62
        values[Int(UInt8(ascii: "_"))] = 63
        return values
    }()

    static func encode(_ bytes: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let count = min(3, bytes.count - start)
            var group: UInt32 = 0
            for index in 0..<3 { group = group << 8 | (index < count ? UInt32(bytes[start + index]) : 0) }
            for index in 0..<4 {
                let value = Int(group >> UInt32(18 - 6 * index) & 63)
                text.append(index <= count ? alphabet[value] : padding)
            }
        }
        return text
    }

    /// Nil for what is no base64.
    package static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        let text = Array(text)
        var end = text.count
        if end % 4 == 0, end > 0, text[end - 1] == padding { end -= text[end - 2] == padding ? 2 : 1 }
        guard end % 4 != 1 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(end / 4 * 3 + 2)
        var group: UInt32 = 0
        for index in 0..<end {
            let value = values[Int(text[index])]
            if value == none { return nil }
            group = group << 6 | UInt32(value)
            // The first character of four fills no byte, each other one the rest of one.
            if index % 4 > 0 { bytes.append(UInt8(truncatingIfNeeded: group >> UInt32(6 - 2 * (index % 4)))) }
        }
        return bytes
    }
}
