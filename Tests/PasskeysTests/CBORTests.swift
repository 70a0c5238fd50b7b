import TestKeys
import TestTools
import Testing

@testable import Passkeys

@Suite("CBOR")
struct CBORTests {
    /// Examples of RFC 8949, appendix A.
    @Test(
        "is what the standard's examples say",
        arguments: [
            ("00", .integer(0)), ("17", .integer(23)), ("1818", .integer(24)), ("1903e8", .integer(1000)),
            ("1a000f4240", .integer(1_000_000)), ("1b000000e8d4a51000", .integer(1_000_000_000_000)),
            ("20", .integer(-1)), ("3863", .integer(-100)), ("3903e7", .integer(-1000)), ("f4", .bool(false)),
            ("f5", .bool(true)), ("f6", .null), ("40", .bytes([])), ("4401020304", .bytes([1, 2, 3, 4])),
            ("60", .text("")), ("6449455446", .text("IETF")), ("62c3bc", .text("ü")), ("64f0908591", .text("𐅑")),
            ("80", .array([])), ("83010203", .array([.integer(1), .integer(2), .integer(3)])),
            (
                "8301820203820405",
                .array([.integer(1), .array([.integer(2), .integer(3)]), .array([.integer(4), .integer(5)])])
            ),
            ("a0", .map([:])), ("a201020304", .map([.integer(1): .integer(2), .integer(3): .integer(4)])),
            ("a26161016162820203", .map([.text("a"): .integer(1), .text("b"): .array([.integer(2), .integer(3)])])),
        ] as [(String, CBOR)])
    func examples(bytes: String, value: CBOR) throws {
        let read = try CBOR(reading: Hex.bytes(bytes))
        #expect(read == value)
    }

    @Test(
        "what authenticators don't send is refused",
        arguments: [
            // Indefinite lengths: bytes, text, array, map, and the end of one.
            ("5f42010243030405ff", .kind(0x5f)), ("7f657374726561646d696e67ff", .kind(0x7f)), ("9fff", .kind(0x9f)),
            ("bfff", .kind(0xbf)), ("ff", .kind(0xff)),
            // Floating point, undefined, simple values, tags, initial bytes that are not assigned.
            ("f93c00", .kind(0xf9)), ("fa47c35000", .kind(0xfa)), ("fb3ff199999999999a", .kind(0xfb)),
            ("f7", .kind(0xf7)), ("f0", .kind(0xf0)), ("f8ff", .kind(0xf8)), ("c11a514b67b0", .kind(0xc1)),
            ("1c", .kind(0x1c)), ("3e", .kind(0x3e)), ("5d", .kind(0x5d)), ("1f", .kind(0x1f)),
            // Numbers of 64 bits.
            ("1bffffffffffffffff", .number), ("3bffffffffffffffff", .number), ("5b8000000000000000", .number),
            ("", .cut), ("18", .cut), ("4401", .cut), ("62c3", .cut), ("8301", .cut), ("a101", .cut), ("a1", .cut),
            ("62c328", .utf8), ("63eda080", .utf8), ("62c080", .utf8),
            ("a14000", .label), ("a1f500", .label), ("a1a000", .label), ("a18000", .label),
            ("a201000100", .duplicate), ("a2616100616101", .duplicate), ("a20100180100", .duplicate),
            ("0000", .trailing(1)), ("a000", .trailing(1)),
        ] as [(String, CBORError)])
    func refused(bytes: String, error: CBORError) {
        #expect(throws: error) { try CBOR(reading: Hex.bytes(bytes)) }
    }

    @Test("lengths and counts that only claim to be large make no room", arguments: ["5b", "7b", "9b", "bb"])
    func large(kind: String) {
        for count in ["00000000ffffffff", "7fffffffffffffff", "0000000000010000"] {
            #expect(throws: CBORError.cut) { try CBOR(reading: Hex.bytes("\(kind)\(count)")) }
        }
    }

    @Test("values are nested eight levels deep, and no deeper")
    func depth() throws {
        func nested(_ depth: Int) -> [UInt8] { [UInt8](repeating: 0x81, count: depth) + [0x00] }
        _ = try CBOR(reading: nested(8))
        for depth in [9, 60_000] { #expect(throws: CBORError.depth) { try CBOR(reading: nested(depth)) } }
        // Maps as names of members, then as values.
        let names = [UInt8](repeating: 0xa1, count: 60_000)
        #expect(throws: CBORError.depth) { try CBOR(reading: names) }
        let inner = (0..<60_000).flatMap { _ in [0xa1, 0x00] as [UInt8] }
        #expect(throws: CBORError.depth) { try CBOR(reading: inner) }
    }

    @Test("any initial byte with any bytes behind it is read or refused")
    func any() {
        var random = SeededGenerator(seed: 7)
        for first in UInt8.min...UInt8.max {
            for count in 0..<40 {
                let rest = (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) }
                _ = try? CBOR(reading: [first] + rest)
            }
        }
    }

    @Test("each error is a sentence of its own")
    func sentences() {
        let errors: [CBORError] = [.cut, .kind(1), .number, .utf8, .label, .duplicate, .depth, .trailing(2)]
        #expect(Set(errors.map(\.description)).count == errors.count)
    }
}
