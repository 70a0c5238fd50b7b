internal import CSodium

/// Points of the curve edwards25519 (RFC 8032).
package enum Ed25519 {
    /// Bytes of a public key.
    package static let keyLength = Int(crypto_core_ed25519_BYTES)

    /// Whether the bytes are a point of the large subgroup, written in the one form that RFC 8032 has for it. With a
    /// point of small order as the key, signatures could be made without knowing any secret.
    package static func isPoint(_ bytes: [UInt8]) -> Bool {
        guard bytes.count == keyLength else { return false }
        return unsafe crypto_core_ed25519_is_valid_point(bytes) == 1
    }
}
