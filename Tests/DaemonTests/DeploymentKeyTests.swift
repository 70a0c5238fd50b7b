import Daemon
import TestSupport
import TestTools
import Testing

@Suite("Deployment key", .timeLimit(.minutes(3)))
struct DeploymentKeyTests {
    private static let digits = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
    private static let key = DeploymentKey(bytes: Array(0..<32))

    /// Reads a key file that holds `text`, with "|" for the end of a line.
    private func read(_ text: String) throws -> DeploymentKey {
        let folder = TemporaryFolder()
        return try DeploymentKey(file: folder.write(text.replacing("|", with: "\r\n"), to: "key"))
    }

    @Test(
        "is read from 64 hexadecimal digits, blanks and line ends or not",
        arguments: [
            digits, digits + "|", "  " + digits + "||", digits.uppercased(),
            "0001020304050607 08090a0b0c0d0e0f|1011121314151617\t18191a1b1c1d1e1f|",
        ])
    func good(text: String) throws {
        let key = try read(text)
        let message = Array("hello".utf8)
        #expect(try #require(Self.key).verify(key.sign(message), of: message))
    }

    @Test(
        "is refused when it is not 64 digits, with a sentence that says so",
        arguments: [
            "", "|", String(digits.dropLast()), digits + "0", digits.replacing("1f", with: "1g"), digits + " x",
            String(repeating: "é", count: 64), "0x" + digits.dropFirst(2), String(repeating: "a", count: 10_000),
        ])
    func malformed(text: String) {
        let error = #expect(throws: DeploymentKey.Problem.self) { try read(text) }
        #expect(error?.description.contains("64 hexadecimal digits are needed") == true)
    }

    @Test("that can't be read names the file, the reason and the way out")
    func unreadable() {
        let error = #expect(throws: DeploymentKey.Problem.self) { try DeploymentKey(file: "/nowhere/key") }
        #expect(error?.description.contains("/nowhere/key: No such file or directory") == true)
        #expect(error?.description.contains("waymark init --key-file /nowhere/key") == true)
        #expect(throws: DeploymentKey.Problem.self) { try DeploymentKey(file: "/tmp") }
    }

    @Test("has 32 bytes")
    func size() {
        #expect(DeploymentKey(bytes: []) == nil)
        #expect(DeploymentKey(bytes: [UInt8](repeating: 0, count: 31)) == nil)
        #expect(DeploymentKey(bytes: [UInt8](repeating: 0, count: 33)) == nil)
    }

    @Test("signs with HMAC-SHA256, as Python's hmac does")
    func vector() throws {
        let key = try #require(Self.key)
        let message = Hex.bytes("0a056c6f63616c10e0a499ffbc31")
        #expect(Hex.text(key.sign(message)) == "7ff11b6a4e32524eb00f19695fb5f1e4b84fccff36034ca2cdb365327b01c139")
    }

    @Test("knows its own signature and no other")
    func verify() throws {
        let key = try #require(Self.key)
        let other = try #require(DeploymentKey(bytes: [UInt8](repeating: 9, count: 32)))
        let message = Array("for local".utf8)
        let signature = key.sign(message)
        #expect(key.verify(signature, of: message))
        #expect(!other.verify(signature, of: message))
        #expect(!key.verify(signature, of: message + [0]))
        #expect(!key.verify([], of: message))
        #expect(!key.verify(Array(signature.dropLast()), of: message))
        #expect(!key.verify(signature + [0], of: message))
        for index in signature.indices {
            var changed = signature
            changed[index] ^= 1
            #expect(!key.verify(changed, of: message))
        }
        #expect(key.verify(key.sign([]), of: []))
    }
}
