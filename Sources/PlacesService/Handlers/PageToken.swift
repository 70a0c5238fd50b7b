import Daemon
import Geo

/// Where a page of places ended, in a form that clients carry without looking into it.
///
///     version (1 byte) | fingerprint of the question (8) | distance's bits (8) | id of the last place (1 to 255)
///
/// in base64url. Numbers are big-endian.
enum PageToken {
    private static let version: UInt8 = 1
    private static let headBytes = 17
    private static let mostBytes = headBytes + 255

    static func text(after cursor: SearchCursor, fingerprint: UInt64) -> String {
        var bytes = [version]
        append(fingerprint, to: &bytes)
        append(cursor.metres.bitPattern, to: &bytes)
        bytes.append(contentsOf: cursor.id)
        return Base64URL.encode(bytes)
    }

    /// The cursor in a token; nil unless it was made for a question with this fingerprint.
    static func cursor(in text: String, fingerprint: UInt64) -> SearchCursor? {
        guard text.utf8.count <= mostBytes * 2, let bytes = Base64URL.decode(text), bytes.count > headBytes,
            bytes.count <= mostBytes, bytes[0] == version,
            number(bytes[1..<9]) == fingerprint
        else { return nil }
        let metres = Double(bitPattern: number(bytes[9..<headBytes]))
        guard metres.isFinite, metres >= 0 else { return nil }
        return SearchCursor(metres: metres, id: Array(bytes[headBytes...]))
    }

    private static func append(_ number: UInt64, to bytes: inout [UInt8]) {
        for shift in stride(from: UInt64(56), through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: number >> shift))
        }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
}
