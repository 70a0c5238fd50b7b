internal import CSodium

/// HMAC-SHA256 (RFC 2104).
package enum HMAC {
    /// Bytes of a key.
    package static let keyLength = Int(crypto_auth_hmacsha256_KEYBYTES)
    /// Bytes of a code.
    package static let codeLength = Int(crypto_auth_hmacsha256_BYTES)

    /// Bytes of a code that was cut short: half of it, the least that RFC 2104 advises.
    package static let shortLength = codeLength / 2

    /// The code of `message` under `key`, which has `keyLength` bytes.
    package static func code(of message: [UInt8], key: [UInt8]) -> [UInt8] {
        precondition(key.count == keyLength, "a key has \(keyLength) bytes")
        var code = [UInt8](repeating: 0, count: codeLength)
        _ = unsafe crypto_auth_hmacsha256(&code, message, UInt64(message.count), key)
        return code
    }

    /// Whether `code` is that of `message`; takes the same time for right and wrong ones of the right length.
    package static func isCode(_ code: [UInt8], of message: [UInt8], key: [UInt8]) -> Bool {
        precondition(key.count == keyLength, "a key has \(keyLength) bytes")
        guard code.count == codeLength else { return false }
        return unsafe crypto_auth_hmacsha256_verify(code, message, UInt64(message.count), key) == 0
    }

    /// The same for the first `shortLength` bytes of a code.
    package static func isShortCode(_ code: [UInt8], of message: [UInt8], key: [UInt8]) -> Bool {
        guard code.count == shortLength else { return false }
        return unsafe sodium_memcmp(code, Self.code(of: message, key: key), shortLength) == 0
    }
}
