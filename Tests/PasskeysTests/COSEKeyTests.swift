import Signatures
import TestKeys
import Testing

@testable import Passkeys

@Suite("Keys of passkeys")
struct COSEKeyTests {
    private static func map(_ members: [(Int, [UInt8])]) -> [UInt8] {
        CBORText.map(members.map { (CBORText.number($0.0), $0.1) })
    }

    private static func isKey(_ bytes: [UInt8]) -> Bool { (try? COSEKey.read(bytes[...])) != nil }

    @Test("are read up to their end", arguments: ["RS256", "ES256", "EdDSA"])
    func read(algorithm: String) throws {
        let bytes = SoftPasskey(try SigningKey.shared(algorithm)).coseKey
        let (key, count) = try COSEKey.read((bytes + [1, 2, 3])[...])
        #expect(key.algorithm.rawValue == algorithm && count == bytes.count)
        for count in bytes.indices { #expect(!Self.isKey(Array(bytes[..<count]))) }
    }

    @Test("the type, the curve and the algorithm belong together")
    func together() throws {
        let parts = try SigningKey.p256.get().publicParts.map { CBORText.bytes($0) }
        func key(_ type: Int, _ algorithm: Int, _ curve: Int) -> [UInt8] {
            Self.map([
                (1, CBORText.number(type)), (3, CBORText.number(algorithm)), (-1, CBORText.number(curve)),
                (-2, parts[0]), (-3, parts[1]),
            ])
        }
        #expect(Self.isKey(key(2, -7, 1)))
        for (type, algorithm, curve) in [
            (1, -7, 1), (3, -7, 1), (2, -8, 1), (2, -257, 1), (2, -7, 2), (2, -7, 6), (2, -7, 8), (2, -35, 1),
            (2, 7, 1),
            (2, -47, 1), (4, 5, 1),
        ] { #expect(!Self.isKey(key(type, algorithm, curve)), "\(type) \(algorithm) \(curve)") }
    }

    @Test("a point is on its curve, and has both coordinates")
    func points() throws {
        let parts = try SigningKey.p256.get().publicParts
        func key(_ x: [UInt8], _ y: [UInt8]?) -> [UInt8] {
            Self.map([
                (1, CBORText.number(2)), (3, CBORText.number(-7)), (-1, CBORText.number(1)), (-2, x), (-3, y ?? [0xf5]),
            ])
        }
        let (x, y) = (CBORText.bytes(parts[0]), CBORText.bytes(parts[1]))
        #expect(Self.isKey(key(x, y)))
        // The second is a compressed point, which WebAuthn does not have.
        for wrong in [key(y, x), key(x, nil), key(x, CBORText.bytes([])), key(x, CBORText.text("y"))] {
            #expect(!Self.isKey(wrong))
        }
    }

    @Test("what is no map, or lacks something, is none")
    func incomplete() throws {
        for bytes in [[], [0x80], [0xa0], [0x00], Self.map([(3, CBORText.number(-7))])] as [[UInt8]] {
            #expect(!Self.isKey(bytes))
        }
        let rsa = try SigningKey.rsa.get().publicParts.map { CBORText.bytes($0) }
        let head = [(1, CBORText.number(3)), (3, CBORText.number(-257))]
        #expect(Self.isKey(Self.map(head + [(-1, rsa[0]), (-2, rsa[1])])))
        #expect(!Self.isKey(Self.map(head + [(-1, rsa[0])])))
        #expect(!Self.isKey(Self.map(head + [(-2, rsa[1])])))
        #expect(
            !Self.isKey(Self.map(head + [(-1, CBORText.bytes([UInt8](repeating: 255, count: 128))), (-2, rsa[1])])))
    }
}
