internal import Bytes

/// The encoding of a text from elsewhere, as its first bytes show it.
enum TextEncoding: Equatable {
    case utf8
    /// One that has a name for iconv(3).
    case named(String)

    /// How many first bytes are looked at at most: a declaration of XML stands there.
    static let headBytes = 1_024

    /// Whether these first bytes are enough.
    static func isKnown(by head: [UInt8]) -> Bool {
        if head.count >= headBytes { return true }
        guard head.count >= 4 else { return false }
        return !head.starts(with: "<?".utf8) || head.contains(UInt8(ascii: ">"))
    }

    /// The encoding, and how many bytes of a mark go before the text.
    static func of(_ head: [UInt8]) -> (encoding: TextEncoding, markBytes: Int) {
        for (mark, name) in marks where head.starts(with: mark) { return (name.map(Self.named) ?? .utf8, mark.count) }
        // Without a mark: a text begins with a letter of ASCII, of which UTF-16 has one half empty.
        if head.count >= 4, head[0] == 0, head[1] != 0, head[2] == 0 { return (.named("UTF-16BE"), 0) }
        if head.count >= 4, head[0] != 0, head[1] == 0, head[3] == 0 { return (.named("UTF-16LE"), 0) }
        return (declared(in: head).map(Self.named) ?? .utf8, 0)
    }

    /// The longer ones first: that of UTF-32 begins like that of UTF-16.
    private static let marks: [([UInt8], String?)] = [
        ([0xff, 0xfe, 0x00, 0x00], "UTF-32LE"), ([0x00, 0x00, 0xfe, 0xff], "UTF-32BE"),
        ([0xef, 0xbb, 0xbf], nil), ([0xff, 0xfe], "UTF-16LE"), ([0xfe, 0xff], "UTF-16BE"),
    ]

    /// What `<?xml version="1.0" encoding="ISO-8859-1"?>` says. One of two bytes per letter can't be: the declaration
    /// was read by single ones. Nil for UTF-8, too.
    private static func declared(in head: [UInt8]) -> String? {
        let text = String(decoding: head, as: UTF8.self)
        guard let start = text.after("<?xml"), let end = start.firstIndex(ofScalar: ">") else { return nil }
        guard let (_, behind) = start[..<end].parts(around: "encoding") else { return nil }
        let value = behind.trimmed.after("=")?.trimmed ?? ""
        let name = String(value.unicodeScalars.dropFirst().prefix { $0.isASCIILetter || $0.isDigit || "-_.:".has($0) })
        let upper = name.uppercased()
        let isWide = ["UTF-16", "UTF-32", "UCS-", "ISO-10646"].contains { upper.begins(with: $0) }
        return name.isEmpty || isWide || upper == "UTF-8" || upper == "UTF8" ? nil : name
    }
}

extension Substring {
    fileprivate func firstIndex(ofScalar scalar: Unicode.Scalar) -> Index? { unicodeScalars.firstIndex(of: scalar) }

    fileprivate func parts(around part: String) -> (Substring, Substring)? {
        utf8.firstRange(of: part.utf8).map { (self[..<$0.lowerBound], self[$0.upperBound...]) }
    }
}

extension String {
    fileprivate func has(_ scalar: Unicode.Scalar) -> Bool { unicodeScalars.contains(scalar) }
}
