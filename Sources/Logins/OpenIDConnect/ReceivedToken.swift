internal import Bytes
internal import JSONStream
internal import Signatures

/// A JSON Web Token (RFC 7519) in the compact form of a signed one (RFC 7515), as it was received: nothing in it is
/// true before `check(by:)`.
package struct ReceivedToken: Sendable {
    /// Bytes of the text.
    package static let longest = 16 << 10

    let algorithm: SignatureAlgorithm
    /// The key's name in the issuer's set.
    let keyID: String?
    /// In lower case, without the "application/" that may be left out.
    let type: String?
    let claims: TokenClaims
    private let signedBytes: [UInt8]
    private let signature: [UInt8]

    /// Takes a token apart. Of the header's members, those that bring a key of their own (`jwk`, `jku`, `x5c`, `x5u`)
    /// mean nothing.
    package init(_ text: String) throws(TokenError) {
        guard text.utf8.count <= Self.longest else { throw .length(text.utf8.count) }
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3 else { throw .form }
        let header = try Self.object(parts[0], "header")
        let name = header["alg"]?.string
        guard let name, let algorithm = SignatureAlgorithm(rawValue: name) else { throw .algorithm(name) }
        guard header["crit"] == nil else { throw .critical }
        self.algorithm = algorithm
        keyID = try Self.text("kid", in: header)
        type = try Self.text("typ", in: header).map { type in
            let type = type.lowercased()
            return type.begins(with: "application/") ? String(type.dropFirst("application/".count)) : type
        }
        claims = TokenClaims(try Self.object(parts[1], "payload"))
        guard let signature = Base64URL.decode(parts[2]) else { throw .encoding(of: "signature") }
        self.signature = signature
        signedBytes = Array(text.utf8[..<parts[1].endIndex])
    }

    /// Passes when one of the issuer's keys has made the signature.
    func check(by keys: KeySet) throws(TokenError) {
        let fitting = try keys.keys(for: self)
        guard fitting.contains(where: { $0.isSignature(signature, of: signedBytes, ecdsa: .fixedWidth) }) else {
            throw .signature
        }
    }

    private static func object(
        _ part: Substring.UTF8View, _ name: String
    ) throws(TokenError) -> [String: JSONValue] {
        guard let bytes = Base64URL.decode(part) else { throw .encoding(of: name) }
        let value: JSONValue
        do { value = try JSONValue(reading: bytes) } catch { throw .json(of: name, problem: error.description) }
        guard let members = value.object else { throw .json(of: name, problem: "it is something else") }
        return members
    }

    private static func text(_ name: String, in header: [String: JSONValue]) throws(TokenError) -> String? {
        guard let member = header[name] else { return nil }
        guard let text = member.string else { throw .missing(name, needed: "a text") }
        return text
    }
}
