import Bytes
package import Refusals

/// The tokens of one query's pages: where a page ended, in a form that clients pass on without reading it.
///
///     version (1 byte) | fingerprint of the query (8) | where the page ended
///
/// in base64url. Numbers are big-endian. A token of another query is refused.
package struct PageToken: Sendable {
    private static let version: UInt8 = 1
    private static let headBytes = 9
    private static let maximumBytes = 600

    private let fingerprint: UInt64

    /// - Parameter fingerprint: distinguishes queries whose pages must not be mixed.
    package init(of fingerprint: UInt64) { self.fingerprint = fingerprint }

    /// For a query named by a word of ours: "pins".
    package init(of question: String) {
        var hash = StableHash()
        hash.add(question.utf8)
        fingerprint = hash.value
    }

    /// The token of the page after `end`.
    package func text(after end: [UInt8]) -> String {
        Base64URL.encode([Self.version] + BigEndian.bytes(fingerprint) + end)
    }

    /// Where the previous page ended, parsed by `read`; nil for an empty text, which asks for the first page. Refused
    /// unless it was made for this query.
    package func end<End>(in text: String, _ read: ([UInt8]) -> End?) throws(Refusal) -> End? {
        if text.isEmpty { return nil }
        guard let bytes = bytes(text), let end = read(bytes) else {
            throw Refusal("page_token", text: text, allowed: "next_page_token of an answer to the same question is")
        }
        return end
    }

    private func bytes(_ text: String) -> [UInt8]? {
        guard text.utf8.count <= Self.maximumBytes * 2, let bytes = Base64URL.decode(text),
            bytes.count > Self.headBytes,
            bytes.count <= Self.maximumBytes, bytes.first == Self.version,
            BigEndian.number(bytes[1..<Self.headBytes]) == fingerprint
        else { return nil }
        return Array(bytes[Self.headBytes...])
    }
}

/// The end of a page of results ordered by distance, and by id where that is equal.
package struct DistanceEnd: Equatable, Sendable {
    package let metres: Double
    package let id: [UInt8]

    package init(metres: Double, id: some Sequence<UInt8>) {
        self.metres = metres
        self.id = Array(id)
    }

    /// Nil for bytes that `bytes` never returns.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count > 8 else { return nil }
        metres = Double(bitPattern: BigEndian.number(bytes[..<8]))
        guard metres.isFinite, metres >= 0 else { return nil }
        id = Array(bytes[8...])
    }

    /// The distance's bits, then the id.
    package var bytes: [UInt8] { BigEndian.bytes(metres.bitPattern) + id }
}
