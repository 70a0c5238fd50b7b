extension SigningKey {
    /// One of each kind for all tests of a process, since making one of RSA takes long.
    package static let rsa = Result { try SigningKey(.rsa(bits: 2048)) }
    package static let p256 = Result { try SigningKey(.p256) }
    package static let ed25519 = Result { try SigningKey(.ed25519) }

    /// The shared key of an algorithm, by its name in JSON Web Tokens.
    package static func shared(_ name: String) throws -> SigningKey {
        switch name {
        case "RS256": try rsa.get()
        case "ES256": try p256.get()
        case "EdDSA": try ed25519.get()
        default: throw Failure()
        }
    }
}
