internal import Crypto

/// Names a blob by its content: the SHA-256 of the bytes.
package struct BlobName: Hashable, Sendable {
    /// Bytes of a name.
    package static let byteCount = 32

    /// The digest, `byteCount` bytes.
    package let bytes: [UInt8]

    /// The name of these bytes.
    package init(of bytes: [UInt8]) { self.bytes = SHA256.digest(bytes) }

    /// Nil unless it has `byteCount` bytes.
    package init?(bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }

    /// From 64 hexadecimal digits in lower case; nil for anything else.
    package init?(_ text: some StringProtocol) {
        let digits = text.utf8.compactMap(Self.value)
        guard digits.count == 2 * Self.byteCount, text.utf8.count == digits.count else { return nil }
        bytes = stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }

    /// 64 hexadecimal digits in lower case.
    package var text: String {
        String(decoding: bytes.flatMap { [Self.digits[Int($0 >> 4)], Self.digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    private static let digits = Array("0123456789abcdef".utf8)

    private static func value(of digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}

extension BlobName: CustomStringConvertible {
    /// The same as `text`.
    package var description: String { text }
}

extension BlobName: SQLParameter {
    /// A BYTEA.
    package var sqlValue: SQLValue { .blob(bytes) }
}
