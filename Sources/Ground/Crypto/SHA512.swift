internal import CSodium

/// SHA-512 (FIPS 180-4).
package enum SHA512 {
    /// The 64 bytes of the digest.
    package static func digest(_ bytes: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: Int(crypto_hash_sha512_BYTES))
        _ = unsafe crypto_hash_sha512(&digest, bytes, UInt64(bytes.count))
        return digest
    }
}
