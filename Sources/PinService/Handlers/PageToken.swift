import Daemon

/// Where a page ended, in a form that clients carry without looking into it.
///
///     version (1 byte) | fingerprint of the question (8) | where the page ended
///
/// in base64url. Numbers are big-endian.
enum PageToken {
    private static let version: UInt8 = 1
    private static let headBytes = 9
    private static let mostBytes = 600

    static func text(_ end: [UInt8], of question: String) -> String {
        Base64URL.encode([version] + BigEndian.bytes(fingerprint(question)) + end)
    }

    /// Where the page before ended; nil for an empty text. Refused unless it was made for this question.
    static func end(in text: String, of question: String) throws(PinError) -> [UInt8]? {
        if text.isEmpty { return nil }
        guard text.utf8.count <= mostBytes * 2, let bytes = Base64URL.decode(text), bytes.count > headBytes,
            bytes.count <= mostBytes, bytes.first == version,
            BigEndian.number(bytes[1..<headBytes]) == fingerprint(question)
        else { throw refusal(text) }
        return Array(bytes[headBytes...])
    }

    static func refusal(_ text: String) -> PinError {
        .invalid(
            field: "page_token",
            "\"\(text.prefix(50))\" is not of this list; next_page_token of an answer to the same question is needed")
    }

    /// FNV-1a over the question's text, 64 bits (RFC 9923).
    private static func fingerprint(_ question: String) -> UInt64 {
        question.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
    }
}
