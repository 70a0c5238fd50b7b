internal import FoundationEssentials

/// Bytes in JSON strings (RFC 4648): written in the standard alphabet with padding, read in the URL-safe one too,
/// with padding or without.
enum Base64 {
    static func encode(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

    static func decode(_ text: String) -> [UInt8]? {
        var standard = text.utf8.map { byte in
            switch byte {
            case UInt8(ascii: "-"): UInt8(ascii: "+")
            case UInt8(ascii: "_"): UInt8(ascii: "/")
            default: byte
            }
        }
        if !standard.contains(UInt8(ascii: "=")) {
            standard += [UInt8](repeating: UInt8(ascii: "="), count: (4 - standard.count % 4) % 4)
        }
        return Data(base64Encoded: Data(standard)).map { Array($0) }
    }
}
