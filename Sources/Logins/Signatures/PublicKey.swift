internal import Crypto

/// A public key, with the one algorithm that it is used with: a signature can't choose another one.
package struct PublicKey: Sendable, Equatable {
    /// Bits of the modulus of an RSA key.
    package static let rsaBits = 2048...8192
    /// Bytes of an RSA exponent: more only make checking slow.
    private static let longestExponent = 4
    /// Bytes of a coordinate of P-256.
    private static let coordinateLength = 32
    /// Bytes of the longest signature, which is one of RSA.
    private static let longestSignature = rsaBits.upperBound / 8

    package let algorithm: SignatureAlgorithm
    private let key: OpenedKey

    private static let rsaName = DER.sequence(
        [0x06, 9, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01], [0x05, 0])
    private static let p256Name = DER.sequence(
        [0x06, 7, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01],
        [0x06, 8, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07])
    private static let ed25519Name = DER.sequence([0x06, 3, 0x2b, 0x65, 0x70])

    /// An RSA key (RFC 8017) for RS256; both numbers with their highest byte first.
    package init(modulus: [UInt8], exponent: [UInt8]) throws(PublicKeyError) {
        let modulus = modulus.drop { $0 == 0 }
        let exponent = exponent.drop { $0 == 0 }
        let bits = modulus.count * 8 - (modulus.first?.leadingZeroBitCount ?? 0)
        guard Self.rsaBits.contains(bits), let lowest = modulus.last, lowest % 2 == 1 else {
            throw .modulus(bits: bits)
        }
        // Odd, and more than 1.
        guard exponent.count <= Self.longestExponent, let last = exponent.last, last % 2 == 1, exponent != [1] else {
            throw .exponent
        }
        let numbers = DER.sequence(DER.integer(modulus), DER.integer(exponent))
        guard let key = OpenedKey(DER.sequence(Self.rsaName, DER.bitString(numbers))) else {
            throw .modulus(bits: bits)
        }
        (self.key, algorithm) = (key, .rs256)
    }

    /// A point of P-256 for ES256, by its coordinates, 32 bytes each.
    package init(x: [UInt8], y: [UInt8]) throws(PublicKeyError) {
        guard x.count == Self.coordinateLength, y.count == Self.coordinateLength else { throw .point }
        // OpenSSL reads only points of the curve.
        guard let key = OpenedKey(DER.sequence(Self.p256Name, DER.bitString([0x04] + x + y))) else { throw .point }
        (self.key, algorithm) = (key, .es256)
    }

    /// A point of Ed25519 for EdDSA, 32 bytes.
    package init(ed25519 point: [UInt8]) throws(PublicKeyError) {
        // OpenSSL would read other bytes too.
        guard Ed25519.isPoint(point), let key = OpenedKey(DER.sequence(Self.ed25519Name, DER.bitString(point))) else {
            throw .point
        }
        (self.key, algorithm) = (key, .edDSA)
    }

    /// Whether this key's owner made the signature of `message`. `form` is for ES256 alone.
    package func isSignature(_ signature: [UInt8], of message: [UInt8], ecdsa form: ECDSAForm) -> Bool {
        guard signature.count <= Self.longestSignature else { return false }
        var signature = signature
        if algorithm == .es256, form == .fixedWidth {
            let (r, s) = (signature.prefix(Self.coordinateLength), signature.dropFirst(Self.coordinateLength))
            guard s.count == Self.coordinateLength else { return false }
            signature = DER.sequence(DER.integer(r), DER.integer(s))
        }
        return key.isSignature(signature, of: message, isDigested: algorithm != .edDSA)
    }
}

/// Why numbers are no public key. Each reads as a sentence.
package enum PublicKeyError: Error, Equatable, CustomStringConvertible {
    case modulus(bits: Int)
    case exponent
    /// The wrong length, or not on the curve.
    case point

    package var description: String {
        switch self {
        case .modulus(let bits): "a modulus of \(bits) bits is not allowed; an odd one of 2,048 to 8,192 bits is"
        case .exponent: "the exponent is not allowed; an odd number from 3 to 4,294,967,295 is"
        case .point: "the bytes are not a point of the curve"
        }
    }
}
