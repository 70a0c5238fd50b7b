import Bytes
import CCurl

/// The header fields of an answer, line by line as they come.
struct ResponseHead {
    /// By lower-case name.
    private(set) var fields: [String: String] = [:]

    /// Takes a line with or without its end. The first line of an answer forgets what an answer before it said: one to
    /// be followed to another place, or one that only asks for patience.
    mutating func add(_ line: String) {
        if line.begins(with: "HTTP/") { return fields = [:] }
        guard let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")) else { return }
        let name = line[..<colon].lowercased()
        let value = Self.trimmed(line[line.utf8.index(after: colon)...])
        if let before = fields[name] { fields[name] = "\(before), \(value)" } else { fields[name] = value }
    }

    /// How many bytes of a body follow, as they come; 0 when it does not say so.
    var announcedBytes: Int {
        guard fields["content-encoding"] == nil, let text = fields["content-length"] else { return 0 }
        return max(0, Int(text) ?? 0)
    }

    private static func trimmed(_ text: Substring) -> String {
        let isBlank = { (byte: UInt8) in byte == 0x20 || (9...13).contains(byte) }
        guard let first = text.utf8.firstIndex(where: { !isBlank($0) }),
            let last = text.utf8.lastIndex(where: { !isBlank($0) })
        else { return "" }
        return String(text[first...last])
    }
}

/// Times as HTTP writes them: "Wed, 21 Oct 2026 07:28:00 GMT" (RFC 9110, 5.6.7).
package enum HTTPDate {
    /// Seconds since 1970; nil when the text names no moment.
    package static func unixSeconds(_ text: String) -> Int64? {
        let seconds = unsafe curl_getdate(text, nil)
        return seconds == -1 ? nil : Int64(seconds)
    }
}
