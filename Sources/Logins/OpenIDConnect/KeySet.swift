internal import Bytes
internal import JSONStream
package import Refusals
internal import Signatures

/// The public keys of an issuer: a JWK Set (RFC 7517).
package struct KeySet: Sendable, Equatable {
    /// Bytes of the JSON.
    package static let longest = 64 << 10
    private static let maximumKeys = 100

    private struct Key: Equatable {
        let id: String?
        let key: PublicKey
    }

    private let keys: [Key]

    /// Reads a set. Keys that are for something else, or of a kind that is not known, are left out; a set of which no
    /// key is left is refused, so that it doesn't replace a good one.
    package init(reading json: [UInt8]) throws(Refusal) {
        let document = try Document(json, "keys", longest: Self.longest)
        guard let list = document.members["keys"]?.array, list.count <= Self.maximumKeys else {
            throw Refusal("keys", "a list of at most \(Self.maximumKeys) keys is needed")
        }
        keys = list.compactMap { $0.object.flatMap(Self.key) }
        guard !keys.isEmpty else {
            throw Refusal("keys", "none of \(list.count) is for signatures with RS256, ES256 or EdDSA")
        }
    }

    /// The keys that may have signed a token, of which several may have the same name.
    func keys(for token: ReceivedToken) throws(TokenError) -> [PublicKey] {
        let fitting = keys.filter { $0.key.algorithm == token.algorithm }
        guard let id = token.keyID else {
            guard fitting.count <= 1 else { throw .ambiguousKey(fitting.count) }
            guard let only = fitting.first else { throw .noKey(id: nil, algorithm: token.algorithm.rawValue) }
            return [only.key]
        }
        let named = fitting.filter { $0.id.map { $0.utf8.elementsEqual(id.utf8) } ?? false }
        guard !named.isEmpty else { throw .noKey(id: id, algorithm: token.algorithm.rawValue) }
        return named.map(\.key)
    }

    /// A key for checking signatures (RFC 7518, section 6; RFC 8037); nil for every other one.
    private static func key(_ members: [String: JSONValue]) -> Key? {
        func bytes(_ name: String) -> [UInt8]? { members[name]?.string.flatMap { Base64URL.decode($0) } }
        let key: PublicKey?
        switch (members["kty"]?.string, members["crv"]?.string) {
        case ("RSA", _): key = try? PublicKey(modulus: bytes("n") ?? [], exponent: bytes("e") ?? [])
        case ("EC", "P-256"): key = try? PublicKey(x: bytes("x") ?? [], y: bytes("y") ?? [])
        case ("OKP", "Ed25519"): key = try? PublicKey(ed25519: bytes("x") ?? [])
        default: key = nil
        }
        guard let key, isMissing(members["use"], or: "sig"), isMissing(members["alg"], or: key.algorithm.rawValue),
            members["key_ops"].map({ $0.array?.contains(.string("verify")) ?? false }) ?? true,
            members["kid"].map({ $0.string != nil }) ?? true
        else { return nil }
        return Key(id: members["kid"]?.string, key: key)
    }

    private static func isMissing(_ member: JSONValue?, or text: String) -> Bool { member?.isString(text) ?? true }
}
