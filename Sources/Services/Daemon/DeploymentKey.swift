import Crypto
import Glibc

/// The secret that all services of a deployment share. It proves for whom a call is made.
package struct DeploymentKey: Sendable {
    /// Why there is no key.
    package enum Problem: Error, CustomStringConvertible {
        case unreadable(path: String, reason: String)
        case malformed(path: String)

        package var description: String {
            switch self {
            case .unreadable(let path, let reason):
                "the deployment's key can't be read from \(path): \(reason); `waymark init --key-file \(path)` makes one"
            case .malformed(let path):
                "\(path) contains no deployment key: 64 hexadecimal digits are needed"
            }
        }
    }

    private static let byteCount = HMAC.keyLength
    private static let longestFile = 4096
    private let bytes: [UInt8]

    /// Reads 64 hexadecimal digits; blanks and line ends are ignored.
    package init(file path: String) throws(Problem) {
        let text = try Self.read(path)
        guard let bytes = Self.decode(text) else { throw .malformed(path: path) }
        self.bytes = bytes
    }

    /// A key from its bytes; nil unless there are 32.
    package init?(bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }

    /// HMAC-SHA256 (RFC 2104) of `message` under this key.
    package func sign(_ message: [UInt8]) -> [UInt8] { HMAC.code(of: message, key: bytes) }

    /// Whether `signature` is this key's for `message`; takes the same time for right and wrong ones.
    package func verify(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        HMAC.isCode(signature, of: message, key: bytes)
    }

    /// The first 16 bytes of `sign`'s result, for places where every byte counts.
    package func shortSign(_ message: [UInt8]) -> [UInt8] { Array(sign(message).prefix(HMAC.shortLength)) }

    /// The same as `verify` for a short signature.
    package func shortVerify(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        HMAC.isShortCode(signature, of: message, key: bytes)
    }

    private static func read(_ path: String) throws(Problem) -> [UInt8] {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .unreadable(path: path, reason: unsafe String(cString: strerror(errno))) }
        defer { close(descriptor) }
        var text = [UInt8](repeating: 0, count: longestFile)
        let count = unsafe Glibc.read(descriptor, &text, longestFile)
        guard count >= 0 else { throw .unreadable(path: path, reason: unsafe String(cString: strerror(errno))) }
        return Array(text.prefix(count))
    }

    private static func decode(_ text: [UInt8]) -> [UInt8]? {
        let digits = text.filter { ![0x20, 0x09, 0x0a, 0x0d].contains($0) }
        guard digits.count == byteCount * 2 else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = hexValue(digits[index]), let low = hexValue(digits[index + 1]) else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    private static func hexValue(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
