import Bytes
import Crypto
import Refusals
import TestKeys
import Testing

@testable import OpenIDConnect

@Suite("ID tokens")
struct IDTokenTests {
    private static let now = Issuer.now

    @Test("a good one says who logged in", arguments: ["RS256", "ES256", "EdDSA"])
    func good(algorithm: String) throws {
        let key = try SigningKey.shared(algorithm)
        let token = try ReceivedToken(key.token(Issuer.payload()))
        let id = try IDToken(token, from: Issuer.keySet([key.jwk()]), by: Issuer.rules, at: Self.now)
        #expect(id.issuer == Issuer.name && id.subject == "u-1" && id.sessionID == "s-1" && id.name == "Ada")
        #expect(id.email == "ada@example.org" && id.hasVerifiedEmail)
    }

    @Test(
        "it is one of the kinds that ID tokens are",
        arguments: [("JWT", true), ("jwt", true), ("application/jwt", true)])
    func type(type: String, isTaken: Bool) throws {
        _ = try Issuer.login(header: #"{"alg":"ES256","typ":"\#(type)"}"#)
    }

    @Test("a token of another kind is refused", arguments: ["at+jwt", "logout+jwt", "dpop+jwt", "JOSE", ""])
    func otherType(type: String) throws {
        #expect(throws: TokenError.type(type.lowercased())) {
            try Issuer.login(header: #"{"alg":"ES256","typ":"\#(type)"}"#)
        }
        #expect(throws: TokenError.kind("events: it is there, so this is no ID token")) {
            try Issuer.login(["events": Issuer.logoutClaims["events"]])
        }
    }

    @Test(
        "the issuer is the configured one, byte for byte",
        arguments: [
            "\"\(Issuer.name)/\"", "\"http://id.example.org/realms/maps\"", "\"https://ID.example.org/realms/maps\"",
            "[\"\(Issuer.name)\"]", "1", "\"\"",
        ])
    func issuer(value: String) throws {
        #expect {
            try Issuer.login(["iss": value])
        } throws: {
            if case .issuer? = $0 as? TokenError { true } else { false }
        }
        #expect(throws: TokenError.issuer(nil)) { try Issuer.login(["iss": nil]) }
    }

    @Test("of an issuer with two names both are taken, for one identity")
    func google() throws {
        let rules = IDTokenRules(
            issuers: ["https://accounts.google.com", "accounts.google.com"], clientID: Issuer.client,
            nonce: Issuer.nonce)
        for name in ["https://accounts.google.com", "accounts.google.com"] {
            let id = try Issuer.login(["iss": "\"\(name)\""], rules: rules)
            #expect(id.issuer == "https://accounts.google.com")
        }
        #expect(throws: TokenError.issuer("google.com")) { try Issuer.login(["iss": "\"google.com\""], rules: rules) }
    }

    @Test(
        "it is for this client, and was issued to it if it is for others too",
        arguments: [
            (#""waymark""#, nil, nil), (#"["waymark"]"#, nil, nil), (#"["waymark"]"#, #""other""#, nil),
            (#"["a","waymark"]"#, #""waymark""#, nil), (#"["a","waymark"]"#, nil, TokenError.authorizedParty(nil)),
            (#"["waymark","a"]"#, #""a""#, .authorizedParty("a")), (#""other""#, nil, .audience),
            ("[]", nil, .audience),
            (#"["other"]"#, #""waymark""#, .audience), (nil, nil, .audience), ("1", nil, .audience),
            (#"["waymark",1]"#, #""waymark""#, .audience), (#""Waymark""#, nil, .audience),
            (#"" waymark""#, nil, .audience),
        ] as [(String?, String?, TokenError?)])
    func audience(audience: String?, party: String?, error: TokenError?) throws {
        let changes = ["aud": audience, "azp": party]
        if let error {
            #expect(throws: error) { try Issuer.login(changes) }
        } else {
            _ = try Issuer.login(changes)
        }
    }

    @Test("clocks may be 90 seconds apart")
    func times() throws {
        let (now, far) = (Self.now, Self.now + 90)
        _ = try Issuer.login(["exp": "\(now - 89)", "iat": "\(far)", "nbf": "\(far)"])
        #expect(throws: TokenError.expired(at: now - 90, now: now)) { try Issuer.login(["exp": "\(now - 90)"]) }
        #expect(throws: TokenError.early(claim: "iat", at: far + 1, now: now)) {
            try Issuer.login(["iat": "\(far + 1)"])
        }
        #expect(throws: TokenError.early(claim: "nbf", at: far + 1, now: now)) {
            try Issuer.login(["nbf": "\(far + 1)"])
        }
    }

    @Test("Google's tokens begin before they are issued, and times may have fractions")
    func unusualTimes() throws {
        _ = try Issuer.login(["nbf": "\(Self.now - 300)", "exp": "\(Self.now + 10).75", "iat": "1.78e9"])
    }

    @Test(
        "times are numbers, and there",
        arguments: ["\"1780000100\"", "-1", "null", "1e300", "[]", "99999999999999999999"])
    func noTimes(value: String) throws {
        for claim in ["exp", "iat", "nbf", "auth_time"] {
            #expect(throws: TokenError.missing(claim, needed: "a time")) { try Issuer.login([claim: value]) }
        }
        for claim in ["exp", "iat"] {
            #expect(throws: TokenError.missing(claim, needed: "a time")) { try Issuer.login([claim: nil]) }
        }
    }

    @Test(
        "the nonce is that of the login", arguments: [nil, "\"\"", "\"other\"", "1", "[\"\(Issuer.nonce)\"]", "null"])
    func nonce(value: String?) throws {
        #expect(throws: TokenError.nonce) { try Issuer.login(["nonce": value]) }
    }

    @Test("without a nonce of one's own no token passes, not even one that has none either")
    func emptyNonce() throws {
        let rules = IDTokenRules(issuers: [Issuer.name], clientID: Issuer.client, nonce: "")
        for value in [nil, "\"\""] {
            #expect(throws: TokenError.nonce) { try Issuer.login(["nonce": value], rules: rules) }
        }
    }

    @Test("an app's nonce may come back as its digest, if the caller says so, and then only so")
    func hashedNonce() throws {
        let rules = IDTokenRules(
            issuers: [Issuer.name], clientID: Issuer.client, nonce: "abc", nonceForm: .sha256)
        // FIPS 180-4's example.
        let digest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        _ = try Issuer.login(["nonce": "\"\(digest)\""], rules: rules)
        #expect(throws: TokenError.nonce) { try Issuer.login(["nonce": "\"abc\""], rules: rules) }
        let plain = IDTokenRules(issuers: [Issuer.name], clientID: Issuer.client, nonce: "abc")
        #expect(throws: TokenError.nonce) { try Issuer.login(["nonce": "\"\(digest)\""], rules: plain) }
    }

    @Test("the hash of the access token fits, if it is there", arguments: ["RS256", "EdDSA"])
    func accessToken(algorithm: String) throws {
        let key = try SigningKey.shared(algorithm)
        let keys = try Issuer.keySet([key.jwk()])
        func login(_ hash: String?, accessToken: String?) throws -> IDToken {
            let token = try ReceivedToken(key.token(Issuer.payload(["at_hash": hash.map { "\"\($0)\"" }])))
            return try IDToken(token, from: keys, by: Issuer.rules(accessToken: accessToken), at: Self.now)
        }
        let bytes = Array("an access token".utf8)
        let digest = algorithm == "EdDSA" ? SHA512.digest(bytes) : SHA256.digest(bytes)
        let hash = Base64URL.encode(Array(digest.prefix(digest.count / 2)))
        _ = try login(hash, accessToken: "an access token")
        _ = try login(nil, accessToken: "an access token")
        _ = try login(hash, accessToken: nil)
        #expect(throws: TokenError.accessTokenHash) { try login(hash, accessToken: "another one") }
        #expect(throws: TokenError.accessTokenHash) { try login("", accessToken: "an access token") }
        #expect(throws: TokenError.accessTokenHash) {
            try login(Base64URL.encode(digest), accessToken: "an access token")
        }
    }

    @Test("a login is not older than was asked for")
    func loginAge() throws {
        let rules = Issuer.rules(maxAge: 600)
        _ = try Issuer.login(["auth_time": "\(Self.now - 690)"], rules: rules)
        #expect(throws: TokenError.oldLogin(at: Self.now - 691, maxAge: 600)) {
            try Issuer.login(["auth_time": "\(Self.now - 691)"], rules: rules)
        }
        #expect(throws: TokenError.missing("auth_time", needed: "a time")) { try Issuer.login(rules: rules) }
        _ = try Issuer.login(["auth_time": "0"])
        _ = try Issuer.login(["auth_time": "\(Self.now)"], rules: Issuer.rules(maxAge: .max))
    }

    @Test("the subject is a text of 1 to 255 bytes, whatever numbers it is made of")
    func subject() throws {
        for subject in ["110169484474386276334", "f:2e7b:é", String(repeating: "x", count: 255)] {
            let id = try Issuer.login(["sub": "\"\(subject)\""])
            #expect(id.subject == subject)
        }
        let long = "\"\(String(repeating: "é", count: 128))\""
        for value in ["\"\"", "110169484474386276334", "null", "[\"u\"]", long, #""a\u0000b""#, #""a\nb""#] {
            #expect(throws: TokenError.missing("sub", needed: "a text of 1 to 255 bytes"), "\(value)") {
                try Issuer.login(["sub": value])
            }
        }
        #expect(throws: TokenError.missing("sub", needed: "a text")) { try Issuer.login(["sub": nil]) }
    }

    @Test(
        "an address is verified only if the issuer says true",
        arguments: ["\"true\"", "1", "false", "null", "[true]", nil])
    func email(value: String?) throws {
        let id = try Issuer.login(["email_verified": value])
        #expect(id.email == "ada@example.org" && !id.hasVerifiedEmail)
        let none = try Issuer.login(["email": nil])
        #expect(none.email == nil && !none.hasVerifiedEmail)
    }

    @Test("what can't be kept of the rest is left out")
    func rest() throws {
        let long = "\"\(String(repeating: "x", count: 256))\""
        for value in [long, #""a\u0000""#, "1", "{}"] {
            let id = try Issuer.login(["name": value, "email": value, "sid": value])
            #expect(id.name == nil && id.email == nil && id.sessionID == nil && !id.hasVerifiedEmail)
        }
    }

    @Test("what the token does not say is taken from userinfo, if that is about the same person")
    func userInfo() throws {
        var bare = try Issuer.login(["name": nil, "email": nil])
        let info = #"{"sub":"u-1","name":"Grace","email":"grace@example.org","email_verified":true}"#
        try bare.add(userInfo: Array(info.utf8))
        #expect(bare.name == "Grace" && bare.email == "grace@example.org" && bare.hasVerifiedEmail)
        var full = try Issuer.login(["email_verified": nil])
        try full.add(userInfo: Array(info.utf8))
        // An address that the token does not call verified stays so.
        #expect(full.name == "Ada" && full.email == "ada@example.org" && !full.hasVerifiedEmail)
        for text in [#"{"sub":"u-2","name":"Eve"}"#, #"{"name":"Eve"}"#, #"{"sub":1}"#, "", "[]"] {
            var id = bare
            #expect(throws: Refusal.self, "\(text)") { try id.add(userInfo: Array(text.utf8)) }
            #expect(id == bare)
        }
        var long = bare
        #expect(throws: Refusal("userinfo", 65_537, "bytes", allowed: "at most 65536 are")) {
            try long.add(userInfo: [UInt8](repeating: 0x20, count: 65_537))
        }
    }

    @Test("nothing is believed before the signature")
    func signature() throws {
        let (key, other) = (try SigningKey.p256.get(), try SigningKey(.p256))
        let token = try ReceivedToken(other.token(Issuer.payload(["aud": "\"x\"", "exp": "1"])))
        let keys = try Issuer.keySet([key.jwk()])
        #expect(throws: TokenError.signature) { try IDToken(token, from: keys, by: Issuer.rules, at: Self.now) }
    }
}
