internal import Bytes

extension SigningKey {
    /// The name of the key's algorithm in JSON Web Tokens.
    package var joseName: String {
        switch kind {
        case .rsa: "RS256"
        case .p256: "ES256"
        case .ed25519: "EdDSA"
        }
    }

    /// The public key as a JSON Web Key.
    /// - Parameter more: members beside those of the key itself: `"use":"sig"`.
    package func jwk(id: String? = nil, _ more: String = "") -> String {
        let parts = publicParts.map { Base64URL.encode($0) }
        let members =
            switch kind {
            case .rsa: #""kty":"RSA","n":"\#(parts[0])","e":"\#(parts[1])""#
            case .p256: #""kty":"EC","crv":"P-256","x":"\#(parts[0])","y":"\#(parts[1])""#
            case .ed25519: #""kty":"OKP","crv":"Ed25519","x":"\#(parts[0])""#
            }
        return "{\(members)\(id.map { #","kid":"\#($0)""# } ?? "")\(more.isEmpty ? "" : ",\(more)")}"
    }

    /// A JSON Web Token in compact form.
    /// - Parameters:
    ///   - payload: JSON.
    ///   - header: JSON; the key's algorithm and no more when it is nil.
    package func token(_ payload: String, header: String? = nil) throws -> String {
        let header = header ?? #"{"alg":"\#(joseName)"}"#
        let signed = "\(Base64URL.encode(Array(header.utf8))).\(Base64URL.encode(Array(payload.utf8)))"
        return "\(signed).\(Base64URL.encode(try fixedWidthSignature(of: Array(signed.utf8))))"
    }
}
