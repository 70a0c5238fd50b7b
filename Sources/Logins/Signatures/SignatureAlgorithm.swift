/// The algorithms of signatures that are checked; no others are, whatever a peer asks for. The raw value is the name in
/// JOSE (RFC 7518, RFC 8037).
package enum SignatureAlgorithm: String, CaseIterable, Sendable {
    /// RSASSA-PKCS1-v1_5 with SHA-256.
    case rs256 = "RS256"
    /// ECDSA on the curve P-256 with SHA-256.
    case es256 = "ES256"
    /// EdDSA on the curve Ed25519.
    case edDSA = "EdDSA"

    /// The number in COSE (RFC 9053, RFC 8812).
    package var coseNumber: Int64 {
        switch self {
        case .rs256: -257
        case .es256: -7
        case .edDSA: -8
        }
    }
}

/// How the two numbers of an ECDSA signature are written.
package enum ECDSAForm: Sendable {
    /// 32 bytes each, one behind the other: in JSON Web Tokens (RFC 7518, section 3.4).
    case fixedWidth
    /// As ASN.1's Ecdsa-Sig-Value in DER (RFC 3279): in WebAuthn.
    case der
}
