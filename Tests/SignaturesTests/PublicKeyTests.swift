import Bytes
import TestKeys
import TestTools
import Testing

@testable import Signatures

@Suite("Public keys")
struct PublicKeyTests {
    private static let message = Array("a message".utf8)

    private static func publicKey(_ key: SigningKey) throws(PublicKeyError) -> PublicKey {
        let parts = key.publicParts
        return switch key.kind {
        case .rsa: try PublicKey(modulus: parts[0], exponent: parts[1])
        case .p256: try PublicKey(x: parts[0], y: parts[1])
        case .ed25519: try PublicKey(ed25519: parts[0])
        }
    }

    @Test("what a key signs is its owner's, and no other's", arguments: SignatureAlgorithm.allCases)
    func pairs(algorithm: SignatureAlgorithm) throws {
        let signer = try SigningKey.shared(algorithm.rawValue)
        let key = try Self.publicKey(signer)
        #expect(key.algorithm == algorithm)
        let signature = try signer.signature(of: Self.message)
        #expect(key.isSignature(signature, of: Self.message, ecdsa: .der))
        let stranger = try Self.publicKey(SigningKey(signer.kind))
        #expect(!stranger.isSignature(signature, of: Self.message, ecdsa: .der))
    }

    @Test("an empty message has a signature too", arguments: SignatureAlgorithm.allCases)
    func empty(algorithm: SignatureAlgorithm) throws {
        let signer = try SigningKey.shared(algorithm.rawValue)
        let (key, signature) = (try Self.publicKey(signer), try signer.signature(of: []))
        #expect(key.isSignature(signature, of: [], ecdsa: .der))
        #expect(!key.isSignature([], of: [], ecdsa: .der))
    }

    @Test("the two forms of ECDSA are not taken for each other, whatever zeros the numbers begin with")
    func forms() throws {
        let signer = try SigningKey.p256.get()
        let key = try Self.publicKey(signer)
        var lengths: Set<Int> = []
        for number in 0..<300 {
            let message = Array("message \(number)".utf8)
            let der = try signer.signature(of: message)
            // Anything else than 64 bytes would be another signature than this one.
            let fixed = Self.fixedWidth(der)
            lengths.insert(der.count)
            #expect(key.isSignature(der, of: message, ecdsa: .der))
            #expect(key.isSignature(fixed, of: message, ecdsa: .fixedWidth))
            #expect(!key.isSignature(fixed, of: message, ecdsa: .der))
            #expect(!key.isSignature(der, of: message, ecdsa: .fixedWidth))
        }
        #expect(lengths.count > 1)
    }

    private static func fixedWidth(_ der: [UInt8]) -> [UInt8] {
        let (r, rest) = (der.dropFirst(4).prefix(Int(der[3])), der.dropFirst(4 + Int(der[3])))
        return [r, rest.dropFirst(2)].flatMap { number in
            let digits = number.drop { $0 == 0 }
            return [UInt8](repeating: 0, count: 32 - digits.count) + digits
        }
    }

    @Test("in fixed width the second number has 32 bytes, not more by a zero and not less by one")
    func width() throws {
        let signer = try SigningKey.p256.get()
        let key = try Self.publicKey(signer)
        // Until the second number begins with a zero, as one of 256 does.
        for number in 0..<10_000 {
            let message = Array("message \(number)".utf8)
            let fixed = try signer.fixedWidthSignature(of: message)
            let (r, s) = (fixed.prefix(32), fixed.dropFirst(32))
            #expect(!key.isSignature(r + [0] + s, of: message, ecdsa: .fixedWidth))
            guard s.first == 0 else { continue }
            #expect(key.isSignature(fixed, of: message, ecdsa: .fixedWidth))
            #expect(!key.isSignature(r + Array(s.dropFirst()), of: message, ecdsa: .fixedWidth))
            return
        }
        Issue.record("no signature has a zero there")
    }

    @Test("DER with anything behind it or with longer numbers than needed is no signature")
    func strictDER() throws {
        let signer = try SigningKey.p256.get()
        let key = try Self.publicKey(signer)
        let der = try signer.signature(of: Self.message)
        #expect(!key.isSignature(der + [0], of: Self.message, ecdsa: .der))
        var padded = der
        padded[1] += 1
        padded[3] += 1
        padded.insert(0, at: 4)
        #expect(!key.isSignature(padded, of: Self.message, ecdsa: .der))
        let indefinite = [0x30, 0x80] + der.dropFirst(2) + [0, 0]
        #expect(!key.isSignature(indefinite, of: Self.message, ecdsa: .der))
    }

    @Test("ECDSA with zeros or the order of the curve as numbers is no signature")
    func zeros() throws {
        let key = try Self.publicKey(SigningKey.p256.get())
        let order = Hex.bytes("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551")
        let zero = [UInt8](repeating: 0, count: 32)
        for r in [zero, order, [UInt8](repeating: 0xff, count: 32)] {
            for s in [zero, order, [UInt8](repeating: 0xff, count: 32)] {
                #expect(!key.isSignature(r + s, of: Self.message, ecdsa: .fixedWidth))
            }
        }
    }

    @Test("a modulus has 2,048 to 8,192 bits, and is odd")
    func modulus() throws {
        func key(bits: Int, last: UInt8 = 1, zeros: Int = 0) throws(PublicKeyError) -> PublicKey {
            var bytes = [UInt8](repeating: 0, count: (bits + 7) / 8)
            bytes[0] = 1 << UInt8((bits - 1) % 8)
            bytes[bytes.count - 1] |= last
            return try PublicKey(modulus: [UInt8](repeating: 0, count: zeros) + bytes, exponent: [1, 0, 1])
        }
        #expect(throws: PublicKeyError.modulus(bits: 2047)) { try key(bits: 2047) }
        #expect(throws: PublicKeyError.modulus(bits: 8193)) { try key(bits: 8193) }
        #expect(throws: PublicKeyError.modulus(bits: 2048)) { try key(bits: 2048, last: 2) }
        #expect(throws: PublicKeyError.modulus(bits: 2040)) { try key(bits: 2040, zeros: 1) }
        #expect(throws: PublicKeyError.modulus(bits: 0)) { try PublicKey(modulus: [0, 0], exponent: [3]) }
        let (small, large, padded) = (try key(bits: 2048), try key(bits: 8192), try key(bits: 2048, zeros: 3))
        #expect(small == padded && large.algorithm == .rs256)
    }

    @Test("an RSA key of 1,024 bits is none, though OpenSSL would take it")
    func short() throws {
        let signer = try SigningKey(.rsa(bits: 1024))
        #expect(throws: PublicKeyError.modulus(bits: 1024)) { try Self.publicKey(signer) }
    }

    @Test("a large RSA key checks what it signed")
    func large() throws {
        let signer = try SigningKey(.rsa(bits: 4096))
        let (key, signature) = (try Self.publicKey(signer), try signer.signature(of: Self.message))
        #expect(key.isSignature(signature, of: Self.message, ecdsa: .der))
    }

    @Test(
        "an exponent is odd, from 3 on, and short",
        arguments: [[], [0], [1], [0, 1], [2], [1, 0, 0], [1, 0, 0, 0, 1]] as [[UInt8]])
    func exponent(bytes: [UInt8]) throws {
        let modulus = try SigningKey.rsa.get().publicParts[0]
        #expect(throws: PublicKeyError.exponent) { try PublicKey(modulus: modulus, exponent: bytes) }
    }

    @Test("a point is on the curve P-256, and has two coordinates of 32 bytes")
    func p256Point() throws {
        let parts = try SigningKey.p256.get().publicParts
        var other = parts[1]
        other[31] ^= 1
        let field = Hex.bytes("ffffffff00000001000000000000000000000000ffffffffffffffffffffffff")
        let zero = [UInt8](repeating: 0, count: 32)
        let wrong: [([UInt8], [UInt8])] = [
            (parts[0], other), (zero, zero), (field, parts[1]), ([], []), (parts[0], []), (parts[0], [0] + parts[1]),
            (Array(parts[0].dropLast()), parts[1]), (parts[0] + parts[1], []),
            (Array(parts[0].dropLast()), parts[0].suffix(1) + parts[1]),
        ]
        for (x, y) in wrong { #expect(throws: PublicKeyError.point) { try PublicKey(x: x, y: y) } }
    }

    @Test("a point of Ed25519 is on the curve, in its large subgroup, and written in one way")
    func edPoint() throws {
        let good = try SigningKey.ed25519.get().publicParts[0]
        let one = [1] + [UInt8](repeating: 0, count: 31)
        let wrong: [[UInt8]] = [
            [], Array(good.dropLast()), good + [0], one, [UInt8](repeating: 0, count: 32),
            // A point of order 8 (RFC 7748's curve in Edwards form), and y = p + 1, which is 1 again.
            Hex.bytes("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa"),
            Hex.bytes("eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"),
            // No point has this y.
            [2] + [UInt8](repeating: 0, count: 31),
        ]
        for point in wrong { #expect(throws: PublicKeyError.point) { try PublicKey(ed25519: point) } }
    }

    @Test("an EdDSA signature has no second form with a number that is larger by the order of the curve")
    func malleability() throws {
        let signer = try SigningKey.ed25519.get()
        let (key, signature) = (try Self.publicKey(signer), try signer.signature(of: Self.message))
        // The lowest byte comes first.
        let order = Hex.bytes("edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010")
        var larger = signature
        var carry = 0
        for index in 0..<32 {
            let sum = Int(signature[32 + index]) + Int(order[index]) + carry
            (larger[32 + index], carry) = (UInt8(truncatingIfNeeded: sum), sum >> 8)
        }
        #expect(carry == 0 && !key.isSignature(larger, of: Self.message, ecdsa: .der))
    }

    @Test("a longer signature than any key makes is none", arguments: SignatureAlgorithm.allCases)
    func long(algorithm: SignatureAlgorithm) throws {
        let key = try Self.publicKey(SigningKey.shared(algorithm.rawValue))
        for count in [1024, 1025, 1 << 20] {
            let signature = [UInt8](repeating: 0x30, count: count)
            #expect(!key.isSignature(signature, of: Self.message, ecdsa: .der))
            #expect(!key.isSignature(signature, of: Self.message, ecdsa: .fixedWidth))
        }
    }

    @Test("each error is a sentence")
    func sentences() {
        #expect(PublicKeyError.modulus(bits: 512).description.contains("512 bits"))
        #expect(PublicKeyError.exponent.description.contains("from 3"))
        #expect(PublicKeyError.point.description.contains("curve"))
    }
}
