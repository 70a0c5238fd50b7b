internal import Signatures

/// A public key as authenticators write it: a COSE_Key (RFC 9052, section 7; RFC 9053, section 7; RFC 8230).
enum COSEKey {
    private enum KeyType { static let okp: Int64 = 1, ec2: Int64 = 2, rsa: Int64 = 3 }
    private enum Curve { static let p256: Int64 = 1, ed25519: Int64 = 6 }

    /// Reads the key at the beginning of the bytes.
    /// - Returns: the key, and how many bytes it has.
    static func read(_ bytes: ArraySlice<UInt8>) throws(PasskeyError) -> (key: PublicKey, count: Int) {
        var reader = CBORReader(bytes)
        let value: CBOR
        do { value = try reader.value() } catch { throw .key("it is no CBOR: \(error)") }
        guard let members = value.map else { throw .key("it is no map") }
        return (try key(members), bytes.count - reader.rest.count)
    }

    private static func key(_ members: [CBOR.Label: CBOR]) throws(PasskeyError) -> PublicKey {
        func bytes(_ label: Int64) -> [UInt8] { members[.integer(label)]?.bytes ?? [] }
        func number(_ label: Int64) -> Int64? { members[.integer(label)]?.integer }
        guard let name = number(3), let algorithm = SignatureAlgorithm.allCases.first(where: { $0.coseNumber == name })
        else { throw .key("the algorithm \(number(3).map { "\($0)" } ?? "none") is not known") }
        do throws(PublicKeyError) {
            switch (algorithm, number(1), number(-1)) {
            case (.rs256, KeyType.rsa, _): return try PublicKey(modulus: bytes(-1), exponent: bytes(-2))
            case (.es256, KeyType.ec2, Curve.p256): return try PublicKey(x: bytes(-2), y: bytes(-3))
            case (.edDSA, KeyType.okp, Curve.ed25519): return try PublicKey(ed25519: bytes(-2))
            default: break
            }
        } catch {
            throw .key(error.description)
        }
        throw .key("its type or its curve is not that of \(algorithm.rawValue)")
    }
}
