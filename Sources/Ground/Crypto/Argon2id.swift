internal import CSodium

/// Hashes of passwords by Argon2id (RFC 9106), as text that contains its parameters and its salt.
package enum Argon2id {
    /// Memory of one hash in bytes, and passes over it. libsodium calls them interactive; OWASP's cheat sheet of
    /// password storage asks for less.
    private static let (memory, passes) = (64 << 20, UInt64(2))

    /// The hash of a password with a new salt; nil when there is no memory for it. Takes about a tenth of a second.
    package static func hash(_ password: [UInt8]) -> String? {
        guard isReady else { return nil }
        var text = [CChar](repeating: 0, count: Int(crypto_pwhash_argon2id_STRBYTES))
        let status = unsafe crypto_pwhash_argon2id_str(
            &text, password.map { CChar(bitPattern: $0) }, UInt64(password.count), passes, memory)
        guard status == 0 else { return nil }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Whether a hash is that of a password. The comparison takes the same time for near and far misses.
    package static func isHash(_ hash: String, of password: [UInt8]) -> Bool {
        guard isReady else { return false }
        let password = password.map { CChar(bitPattern: $0) }
        return unsafe crypto_pwhash_argon2id_str_verify(hash, password, UInt64(password.count)) == 0
    }

    /// Whether a hash was made with other parameters than new ones are.
    package static func isOutdated(_ hash: String) -> Bool {
        unsafe crypto_pwhash_argon2id_str_needs_rehash(hash, passes, memory) != 0
    }

    /// A key of `SealedBytes.keyLength` bytes that a passphrase and a salt always give; nil when there is no memory for
    /// it. Takes about a tenth of a second.
    /// - Parameter salt: `saltLength` bytes.
    package static func key(of passphrase: [UInt8], salt: [UInt8]) -> [UInt8]? {
        guard isReady, salt.count == saltLength else { return nil }
        var key = [UInt8](repeating: 0, count: SealedBytes.keyLength)
        let status = unsafe crypto_pwhash_argon2id(
            &key, UInt64(key.count), passphrase.map { CChar(bitPattern: $0) }, UInt64(passphrase.count), salt, passes,
            memory, crypto_pwhash_argon2id_ALG_ARGON2ID13)
        return status == 0 ? key : nil
    }

    /// Bytes of a salt.
    package static let saltLength = Int(crypto_pwhash_argon2id_SALTBYTES)

    /// libsodium chooses the implementation for this processor, once.
    private static let isReady = sodium_init() >= 0
}

/// Bytes that can't be guessed.
package enum RandomBytes {
    package static func make(_ count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        unsafe randombytes_buf(&bytes, count)
        return bytes
    }
}
