internal import CSodium

/// Authenticated encryption: XChaCha20-Poly1305, with a random nonce in front.
package enum SealedBytes {
    /// Bytes of a key.
    package static let keyLength = Int(crypto_aead_xchacha20poly1305_ietf_KEYBYTES)
    private static let nonceLength = Int(crypto_aead_xchacha20poly1305_ietf_NPUBBYTES)
    private static let codeLength = Int(crypto_aead_xchacha20poly1305_ietf_ABYTES)

    /// Seals bytes under a key of `keyLength` bytes. They open only with the same context, which is not in them.
    package static func seal(_ bytes: [UInt8], context: [UInt8], key: [UInt8]) -> [UInt8] {
        precondition(key.count == keyLength, "a key has \(keyLength) bytes")
        var nonce = [UInt8](repeating: 0, count: nonceLength)
        unsafe randombytes_buf(&nonce, nonceLength)
        var sealed = [UInt8](repeating: 0, count: bytes.count + codeLength)
        var count: UInt64 = 0
        _ = unsafe crypto_aead_xchacha20poly1305_ietf_encrypt(
            &sealed, &count, bytes, UInt64(bytes.count), context, UInt64(context.count), nil, nonce, key)
        return nonce + sealed.prefix(Int(count))
    }

    /// What was sealed; nil when it was another key, another context, or other bytes.
    package static func open(_ sealed: [UInt8], context: [UInt8], key: [UInt8]) -> [UInt8]? {
        precondition(key.count == keyLength, "a key has \(keyLength) bytes")
        guard sealed.count >= nonceLength + codeLength else { return nil }
        let (nonce, box) = (Array(sealed.prefix(nonceLength)), Array(sealed.dropFirst(nonceLength)))
        // One byte more, since an empty array has no address.
        var bytes = [UInt8](repeating: 0, count: box.count - codeLength + 1)
        var count: UInt64 = 0
        let result = unsafe crypto_aead_xchacha20poly1305_ietf_decrypt(
            &bytes, &count, nil, box, UInt64(box.count), context, UInt64(context.count), nonce, key)
        return result == 0 ? Array(bytes.prefix(Int(count))) : nil
    }
}
