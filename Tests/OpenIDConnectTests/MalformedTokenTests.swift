import Bytes
import Crypto
import TestKeys
import Testing

@testable import OpenIDConnect

@Suite("Tokens that were tampered with")
struct MalformedTokenTests {
    /// Whether a text passes as an ID token of the key.
    private static func passes(_ text: String, _ key: SigningKey) throws -> Bool {
        let keys = try Issuer.keySet([key.jwk()])
        guard let token = try? ReceivedToken(text) else { return false }
        return (try? IDToken(token, from: keys, by: Issuer.rules, at: Issuer.now)) != nil
    }

    @Test(
        "a token that is cut anywhere, or has anything behind it, is refused", arguments: ["RS256", "ES256", "EdDSA"])
    func cut(algorithm: String) throws {
        let key = try SigningKey.shared(algorithm)
        let text = try key.token(Issuer.payload())
        let whole = try Self.passes(text, key)
        #expect(whole)
        for count in 0..<text.count {
            let passes = try Self.passes(String(text.prefix(count)), key)
            #expect(!passes, "\(count) characters")
        }
        for more in [".", "A", "=", " ", "\n", "\u{0}", ".\(text)"] {
            let passes = try Self.passes(text + more, key)
            #expect(!passes)
        }
    }

    @Test("a token with any character changed is refused", arguments: ["RS256", "ES256", "EdDSA"])
    func changed(algorithm: String) throws {
        let key = try SigningKey.shared(algorithm)
        let text = Array(try key.token(Issuer.payload()).utf8)
        for index in text.indices {
            for replacement in [text[index] ^ 1, UInt8(ascii: "."), UInt8(ascii: "="), 0, 0x7f] + [UInt8(ascii: "A")]
            where replacement != text[index] {
                var changed = text
                changed[index] = replacement
                let passes = try Self.passes(String(decoding: changed, as: UTF8.self), key)
                #expect(!passes, "character \(index)")
            }
        }
    }

    @Test("the public key is no secret that tokens can be signed with")
    func keyAsSecret() throws {
        let key = try SigningKey.rsa.get()
        let parts = key.publicParts
        for secret in [Array(key.jwk().utf8), parts[0], Array(Base64URL.encode(parts[0]).utf8)] {
            for name in ["HS256", "RS256", "ES256"] {
                let signed = [#"{"alg":"\#(name)"}"#, Issuer.payload()].map { Base64URL.encode(Array($0.utf8)) }
                    .joined(separator: ".")
                let code = HMAC.code(of: Array(signed.utf8), key: SHA256.digest(secret))
                let passes = try Self.passes("\(signed).\(Base64URL.encode(code))", key)
                #expect(!passes)
            }
        }
    }

    @Test("a key that a token brings itself means nothing")
    func ownKey() throws {
        let (key, attacker) = (try SigningKey.p256.get(), try SigningKey(.p256))
        let header =
            #"{"alg":"ES256","jwk":\#(attacker.jwk()),"jku":"https://attacker.example/keys","kid":"../../key"}"#
        for header in [header, header.replacing(#","kid":"../../key""#, with: "")] {
            let passes = try Self.passes(attacker.token(Issuer.payload(), header: header), key)
            #expect(!passes)
        }
    }

    @Test("a signature in DER is none of a token")
    func der() throws {
        let key = try SigningKey.p256.get()
        let text = try key.token(Issuer.payload())
        let signed = text.prefix(upTo: text.lastIndex(of: ".") ?? text.endIndex)
        let passes = try Self.passes("\(signed).\(Base64URL.encode(key.signature(of: Array(signed.utf8))))", key)
        #expect(!passes)
    }

    @Test("header and payload of two good tokens make no third one")
    func spliced() throws {
        let key = try SigningKey.ed25519.get()
        let first = try key.token(Issuer.payload()).split(separator: ".")
        let second = try key.token(Issuer.payload(["sub": #""u-2""#])).split(separator: ".")
        let passes = try Self.passes("\(first[0]).\(second[1]).\(first[2])", key)
        #expect(!passes)
    }

    @Test("each refusal is a sentence that repeats no more than a beginning of what came")
    func sentences() {
        let long = String(repeating: "x", count: 10_000)
        let errors: [TokenError] = [
            .length(20_000), .form, .encoding(of: "header"), .json(of: "header", problem: "it is empty"),
            .algorithm(long), .algorithm(nil), .critical, .type(long), .noKey(id: long, algorithm: "RS256"),
            .noKey(id: nil, algorithm: "RS256"), .ambiguousKey(2), .signature, .issuer(long), .issuer(nil), .audience,
            .authorizedParty(long), .missing("sub", needed: "a text"), .expired(at: 1, now: 2),
            .early(claim: "nbf", at: 2, now: 1), .nonce, .accessTokenHash, .oldLogin(at: 1, maxAge: 2),
            .kind("events: no"),
        ]
        let sentences = errors.map(\.description)
        #expect(sentences.allSatisfy { (10...200).contains($0.count) })
        #expect(Set(sentences).count == errors.count)
    }
}
