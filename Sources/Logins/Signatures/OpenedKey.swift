internal import COpenSSL

/// A public key as OpenSSL has it. Making one takes longer than checking a signature with it.
///
/// `@unchecked Sendable`: OpenSSL only reads a key that it checks with, and counts its owners atomically.
@safe
final class OpenedKey: @unchecked Sendable, Equatable {
    private let key: OpaquePointer

    /// Reads a SubjectPublicKeyInfo (RFC 5280, section 4.1); nil when OpenSSL refuses it.
    init?(_ info: [UInt8]) {
        defer { ERR_clear_error() }
        let key = unsafe info.withUnsafeBufferPointer { bytes in
            var start = bytes.baseAddress
            return unsafe d2i_PUBKEY(nil, &start, bytes.count)
        }
        guard let key = unsafe key else { return nil }
        unsafe self.key = key
    }

    deinit { unsafe EVP_PKEY_free(key) }

    static func == (one: OpenedKey, other: OpenedKey) -> Bool {
        defer { ERR_clear_error() }
        return unsafe EVP_PKEY_eq(one.key, other.key) == 1
    }

    /// - Parameter isDigested: whether the message's SHA-256 is signed; else the algorithm brings a digest of its own.
    func isSignature(_ signature: [UInt8], of message: [UInt8], isDigested: Bool) -> Bool {
        // What OpenSSL notes of a failure would seem to be one of the thread's next TLS session.
        defer { ERR_clear_error() }
        guard let context = unsafe EVP_MD_CTX_new() else { return false }
        defer { unsafe EVP_MD_CTX_free(context) }
        let digest = unsafe isDigested ? EVP_sha256() : nil
        guard unsafe EVP_DigestVerifyInit(context, nil, digest, nil, key) == 1 else { return false }
        return unsafe EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
    }
}
