internal import Bytes
internal import COpenSSL

/// A private key of OpenSSL's, for one process of tests.
package struct SigningKey: Sendable {
    package enum Kind: Sendable {
        case rsa(bits: Int)
        case p256
        case ed25519
    }

    /// OpenSSL refused what was asked of it.
    package struct Failure: Error {}

    package let kind: Kind
    /// In DER.
    private let bytes: [UInt8]
    /// What is public of it: of RSA the modulus and the exponent, of P-256 two coordinates, of Ed25519 one point.
    package let publicParts: [[UInt8]]

    /// Makes a key. Blocks; a second or so for a large RSA key.
    package init(_ kind: Kind) throws {
        self.kind = kind
        let name =
            switch kind {
            case .rsa: "RSA"
            case .p256: "EC"
            case .ed25519: "ED25519"
            }
        guard let context = unsafe EVP_PKEY_CTX_new_from_name(nil, name, nil) else { throw Failure() }
        defer { unsafe EVP_PKEY_CTX_free(context) }
        try unsafe Self.check(EVP_PKEY_keygen_init(context))
        switch kind {
        case .rsa(let bits): try unsafe Self.check(EVP_PKEY_CTX_set_rsa_keygen_bits(context, Int32(bits)))
        case .p256: try unsafe Self.check(EVP_PKEY_CTX_set_group_name(context, "P-256"))
        case .ed25519: break
        }
        var made: OpaquePointer?
        try unsafe Self.check(EVP_PKEY_keygen(context, &made))
        guard let key = unsafe made else { throw Failure() }
        defer { unsafe EVP_PKEY_free(key) }
        var start: UnsafeMutablePointer<UInt8>?
        let count = unsafe i2d_PrivateKey(key, &start)
        bytes = unsafe Array(UnsafeBufferPointer(start: start, count: Int(count)))
        unsafe waymark_free_text(start)
        switch kind {
        case .rsa: publicParts = try ["n", "e"].map { try unsafe Self.number($0, of: key) }
        case .p256: publicParts = try ["qx", "qy"].map { try unsafe Self.number($0, of: key, length: 32) }
        case .ed25519:
            var point = [UInt8](repeating: 0, count: 32)
            var length = point.count
            try unsafe Self.check(EVP_PKEY_get_raw_public_key(key, &point, &length))
            publicParts = [point]
        }
    }

    /// The signature by the key's algorithm: RS256, ES256 in DER, or EdDSA.
    package func signature(of message: [UInt8]) throws -> [UInt8] {
        let key = try unsafe bytes.withUnsafeBufferPointer { bytes in
            var start = bytes.baseAddress
            guard let key = unsafe d2i_AutoPrivateKey(nil, &start, bytes.count) else { throw Failure() }
            return unsafe key
        }
        defer { unsafe EVP_PKEY_free(key) }
        guard let context = unsafe EVP_MD_CTX_new() else { throw Failure() }
        defer { unsafe EVP_MD_CTX_free(context) }
        var digest = unsafe EVP_sha256()
        if case .ed25519 = kind { unsafe digest = nil }
        try unsafe Self.check(EVP_DigestSignInit(context, nil, digest, nil, key))
        var signature = [UInt8](repeating: 0, count: 2048)
        var count = signature.count
        try unsafe Self.check(EVP_DigestSign(context, &signature, &count, message, message.count))
        return Array(signature.prefix(count))
    }

    /// The same as JSON Web Tokens have it, where those of ES256 have 64 bytes.
    package func fixedWidthSignature(of message: [UInt8]) throws -> [UInt8] {
        let signature = try signature(of: message)
        guard case .p256 = kind else { return signature }
        // SEQUENCE, its length, INTEGER, its length, r, INTEGER, its length, s; all lengths are below 128.
        let r = signature.dropFirst(4).prefix(Int(signature[3]))
        let s = signature[(r.endIndex + 2)...]
        return [r, s].flatMap { number in
            let digits = number.drop { $0 == 0 }
            return [UInt8](repeating: 0, count: 32 - digits.count) + digits
        }
    }

    private static func number(_ name: String, of key: OpaquePointer, length: Int? = nil) throws -> [UInt8] {
        var number: OpaquePointer?
        try unsafe check(EVP_PKEY_get_bn_param(key, name, &number))
        defer { unsafe BN_free(number) }
        var bytes = [UInt8](repeating: 0, count: unsafe length ?? (Int(BN_num_bits(number)) + 7) / 8)
        guard unsafe BN_bn2binpad(number, &bytes, Int32(bytes.count)) >= 0 else { throw Failure() }
        return bytes
    }

    private static func check(_ status: Int32) throws { if status != 1 { throw Failure() } }
}
