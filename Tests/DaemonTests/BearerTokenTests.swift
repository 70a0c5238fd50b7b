import Bytes
import Testing

@testable import Daemon

@Suite("P32 tokens of sessions and keys")
struct BearerTokenTests {
    private static func key(_ first: UInt8) throws -> DeploymentKey {
        try #require(DeploymentKey(bytes: [first] + Array(1..<32)))
    }

    @Test("are known as made by this deployment, each kind as itself")
    func genuine() throws {
        let (key, other) = (try Self.key(0), try Self.key(1))
        for kind in BearerToken.allCases {
            let token = kind.make(key)
            #expect(token.utf8.count == 68 && BearerToken.kind(of: token) == kind)
            #expect(BearerToken.isGenuine(token, key) && !BearerToken.isGenuine(token, other))
            #expect(kind.make(key) != token)
        }
        let session = BearerToken.session.make(key)
        #expect(!BearerToken.isGenuine("wmk_" + session.dropFirst(4), key), "a session is no key")
    }

    @Test("with a change anywhere, cut or made longer are not")
    func changed() throws {
        let key = try Self.key(0)
        let token = BearerToken.session.make(key)
        for index in token.indices {
            #expect(!BearerToken.isGenuine(String(token[..<index]), key))
            var text = token
            text.replaceSubrange(index...index, with: token[index] == "A" ? "B" : "A")
            #expect(!BearerToken.isGenuine(text, key), "\(text)")
        }
        for text in ["", "wms_", token + "A", "wms_" + String(repeating: "é", count: 32)] {
            #expect(!BearerToken.isGenuine(text, key))
        }
    }
}
