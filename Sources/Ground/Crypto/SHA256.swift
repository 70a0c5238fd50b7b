internal import CSodium

/// SHA-256 (FIPS 180-4).
package enum SHA256 {
    /// The 32 bytes of the digest.
    package static func digest(_ bytes: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: Int(crypto_hash_sha256_BYTES))
        _ = unsafe crypto_hash_sha256(&digest, bytes, UInt64(bytes.count))
        return digest
    }
}

/// The digest of bytes that come in parts.
package struct RunningSHA256: Sendable {
    private var state = crypto_hash_sha256_state()

    package init() { unsafe crypto_hash_sha256_init(&state) }

    /// Adds the next bytes.
    package mutating func update(_ bytes: ArraySlice<UInt8>) {
        unsafe bytes.withUnsafeBufferPointer { bytes in
            _ = unsafe crypto_hash_sha256_update(&state, bytes.baseAddress, UInt64(bytes.count))
        }
    }

    /// The 32 bytes of the digest of all bytes so far.
    package var digest: [UInt8] {
        var end = state
        var digest = [UInt8](repeating: 0, count: Int(crypto_hash_sha256_BYTES))
        unsafe crypto_hash_sha256_final(&end, &digest)
        return digest
    }
}
