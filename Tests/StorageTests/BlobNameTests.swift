import TestTools
import Testing

@testable import Storage

@Suite("P22 The name of a blob")
struct BlobNameTests {
    /// The example of FIPS 180-4 for "abc".
    private static let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

    @Test("is the SHA-256 of its bytes, as text, as bytes and as a value of SQL")
    func digest() throws {
        let name = BlobName(of: Array("abc".utf8))
        #expect(name.text == Self.abc)
        #expect(name.bytes == Hex.bytes(Self.abc))
        #expect(name.sqlValue == .blob(Hex.bytes(Self.abc)))
        #expect(BlobName(Self.abc) == name)
        #expect(BlobName(bytes: name.bytes) == name)
    }

    @Test(
        "is refused as anything but 64 digits in lower case",
        arguments: [
            "", "ba", abc.uppercased(), String(abc.dropLast()), abc + "0", abc + "/", "../" + abc.dropFirst(3),
            "g" + abc.dropFirst(), "é" + abc.dropFirst(2), "é" + abc.dropFirst(),
        ])
    func refused(text: String) { #expect(BlobName(text) == nil) }

    @Test("has 32 bytes", arguments: [0, 31, 33])
    func bytes(count: Int) { #expect(BlobName(bytes: [UInt8](repeating: 0, count: count)) == nil) }
}
