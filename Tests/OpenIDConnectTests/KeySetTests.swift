import Bytes
import Refusals
import TestKeys
import Testing

@testable import OpenIDConnect

@Suite("Key sets")
struct KeySetTests {
    private static func token(_ key: SigningKey, header: String? = nil) throws -> ReceivedToken {
        try ReceivedToken(key.token("{}", header: header))
    }

    @Test("a token of a key of the set passes, whatever kind the key is", arguments: ["RS256", "ES256", "EdDSA"])
    func kinds(name: String) throws {
        let key = try SigningKey.shared(name)
        let all = try ["RS256", "ES256", "EdDSA"].map { try SigningKey.shared($0).jwk(id: "k-\($0)") }
        let keys = try Issuer.keySet(all)
        try Self.token(key).check(by: keys)
        try Self.token(key, header: #"{"alg":"\#(name)","kid":"k-\#(name)"}"#).check(by: keys)
        let other = try SigningKey(key.kind)
        #expect(throws: TokenError.signature) { try Self.token(other).check(by: keys) }
    }

    @Test("a key that is named is used, and no other one")
    func named() throws {
        let (first, second) = (try SigningKey(.p256), try SigningKey(.p256))
        let keys = try Issuer.keySet([first.jwk(id: "1"), second.jwk(id: "2")])
        try Self.token(second, header: #"{"alg":"ES256","kid":"2"}"#).check(by: keys)
        #expect(throws: TokenError.signature) {
            try Self.token(first, header: #"{"alg":"ES256","kid":"2"}"#).check(by: keys)
        }
        for id in ["3", "", "1 ", "\u{FF11}"] {
            #expect(throws: TokenError.noKey(id: id, algorithm: "ES256")) {
                try Self.token(first, header: #"{"alg":"ES256","kid":"\#(id)"}"#).check(by: keys)
            }
        }
    }

    @Test("without a name a key is used only if no other one fits")
    func unnamed() throws {
        let (first, second) = (try SigningKey(.p256), try SigningKey(.p256))
        let token = try Self.token(first)
        try token.check(by: Issuer.keySet([first.jwk(id: "1"), SigningKey.ed25519.get().jwk(id: "2")]))
        let two = try Issuer.keySet([first.jwk(id: "1"), second.jwk(id: "2")])
        #expect(throws: TokenError.ambiguousKey(2)) { try token.check(by: two) }
        let none = try Issuer.keySet([SigningKey.ed25519.get().jwk()])
        #expect(throws: TokenError.noKey(id: nil, algorithm: "ES256")) { try token.check(by: none) }
    }

    @Test("keys of the same name are tried in turn")
    func duplicates() throws {
        let (first, second) = (try SigningKey(.p256), try SigningKey(.p256))
        let keys = try Issuer.keySet(
            [first.jwk(id: "1"), second.jwk(id: "1"), SigningKey.ed25519.get().jwk(id: "1")])
        for key in [first, second] { try Self.token(key, header: #"{"alg":"ES256","kid":"1"}"#).check(by: keys) }
        #expect(throws: TokenError.signature) {
            try Self.token(SigningKey(.p256), header: #"{"alg":"ES256","kid":"1"}"#).check(by: keys)
        }
    }

    @Test("a key of one kind never checks a signature of another kind", arguments: ["RS256", "ES256", "EdDSA"])
    func wrongKind(name: String) throws {
        let key = try SigningKey.shared(name)
        let others = try ["RS256", "ES256", "EdDSA"].filter { $0 != name }.map {
            try SigningKey.shared($0).jwk(id: "1")
        }
        let token = try Self.token(key, header: #"{"alg":"\#(name)","kid":"1"}"#)
        #expect(throws: TokenError.noKey(id: "1", algorithm: name)) { try token.check(by: Issuer.keySet(others)) }
    }

    @Test("a token that says another algorithm than its key has is refused")
    func confusion() throws {
        let rsa = try SigningKey.rsa.get()
        let keys = try Issuer.keySet([rsa.jwk(id: "1")])
        // Signed with RS256, but said to be of another algorithm.
        for name in ["ES256", "EdDSA"] {
            let token = try Self.token(rsa, header: #"{"alg":"\#(name)","kid":"1"}"#)
            #expect(throws: TokenError.noKey(id: "1", algorithm: name)) { try token.check(by: keys) }
        }
        #expect(throws: TokenError.algorithm("none")) {
            let (header, payload) = (Array(#"{"alg":"none"}"#.utf8), Array("{}".utf8))
            _ = try ReceivedToken("\(Base64URL.encode(header)).\(Base64URL.encode(payload)).")
        }
    }

    @Test(
        "keys that are for something else, or of unknown kinds, are left out",
        arguments: [
            #"{"kty":"oct","k":"AAAA","kid":"x"}"#, #"{"kty":"EC","crv":"P-384","x":"AA","y":"AA"}"#, "{}", "1", "null",
            #"{"kty":"OKP","crv":"X25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}"#,
            #"{"kty":"RSA","n":"AQAB","e":"AQAB"}"#, #"{"kty":"RSA"}"#, #"{"kty":1}"#,
            #"{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo="}"#,
        ])
    func skipped(other: String) throws {
        let key = try SigningKey.p256.get()
        let keys = try Issuer.keySet([other, key.jwk(), other])
        try Self.token(key).check(by: keys)
        #expect(throws: Refusal("keys", "none of 1 is for signatures with RS256, ES256 or EdDSA")) {
            try Issuer.keySet([other])
        }
    }

    @Test(
        "a key says what it is for, if it says anything",
        arguments: [
            (#""use":"sig""#, true), (#""use":"enc""#, false), (#""use":1"#, false), (#""alg":"ES256""#, true),
            (#""alg":"ES384""#, false), (#""alg":"RS256""#, false), (#""key_ops":["sign","verify"]"#, true),
            (#""key_ops":["sign"]"#, false), (#""key_ops":"verify""#, false), (#""x5c":["AA"],"ext":true"#, true),
            (#""kid":7"#, false),
        ])
    func uses(more: String, isUsed: Bool) throws {
        let key = try SigningKey.p256.get()
        let keys = try? Issuer.keySet([key.jwk(more)])
        #expect((keys != nil) == isUsed)
        if let keys { try Self.token(key).check(by: keys) }
    }

    @Test("a set is a list of at most 100 keys in at most 64 KiB")
    func bounds() throws {
        let key = try SigningKey.ed25519.get().jwk()
        _ = try Issuer.keySet([String](repeating: "{}", count: 99) + [key])
        #expect(throws: Refusal("keys", "a list of at most 100 keys is needed")) {
            try Issuer.keySet([String](repeating: "{}", count: 100) + [key])
        }
        #expect(throws: Refusal("keys", 65_537, "bytes", allowed: "at most 65536 are")) {
            try KeySet(reading: [UInt8](repeating: 0x20, count: 65_537))
        }
        for text in ["", "[]", "{}", #"{"keys":{}}"#, #"{"keys":[]}"#, #"{"keys":null}"#, #"{"keys":[]"#] {
            #expect(throws: Refusal.self, "\(text)") { try KeySet(reading: Array(text.utf8)) }
        }
    }

    @Test("a set that is cut anywhere is refused")
    func cut() throws {
        let json = Array(#"{"keys":[\#(try SigningKey.p256.get().jwk(id: "1"))]}"#.utf8)
        for count in 0..<json.count { #expect(throws: Refusal.self) { try KeySet(reading: Array(json[..<count])) } }
    }
}
