/// Text as a part of a URL.
package enum URLText {
    /// All bytes but the unreserved ones (RFC 3986, section 2.3) as %XX.
    package static func escaped(_ text: String) -> String {
        var escaped = ""
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                escaped.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                escaped += byte < 16 ? "%0\(digits)" : "%\(digits)"
            }
        }
        return escaped
    }

    /// With the bytes that %XX stand for; what is no such pair of digits stays as it is. In a form's fields a "+" is a
    /// blank.
    package static func unescaped(_ text: Substring, plusIsBlank: Bool = false) -> String {
        var (bytes, rest): ([UInt8], Substring.UTF8View) = ([], text.utf8)
        bytes.reserveCapacity(rest.count)
        while let byte = rest.popFirst() {
            let pair = Substring(rest.prefix(2))
            if byte == UInt8(ascii: "%"), pair.utf8.count == 2, pair.unicodeScalars.allSatisfy(\.isHexDigit),
                let value = UInt8(pair, radix: 16)
            {
                bytes.append(value)
                rest.removeFirst(2)
            } else {
                bytes.append(plusIsBlank && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
