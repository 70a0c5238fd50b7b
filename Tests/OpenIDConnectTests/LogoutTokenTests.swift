import TestKeys
import Testing

@testable import OpenIDConnect

@Suite("Log-outs at the issuer")
struct LogoutTokenTests {
    private static let now = Issuer.now
    private static let event = "http://schemas.openid.net/event/backchannel-logout"

    private static func logOut(
        _ changes: [String: String?] = [:], header: String? = nil, at now: Int64 = now
    ) throws -> LogoutToken {
        let key = try SigningKey.p256.get()
        let payload = Issuer.payload(changes, of: Issuer.logoutClaims)
        return try LogoutToken(
            ReceivedToken(key.token(payload, header: header)), from: Issuer.keySet([key.jwk()]),
            issuers: [Issuer.name], clientID: Issuer.client, at: now)
    }

    @Test("a good one says whose sessions end")
    func good() throws {
        let both = try Self.logOut()
        #expect(both.issuer == Issuer.name && both.subject == "u-1" && both.sessionID == "s-1")
        #expect(both.id == "j-1" && both.issuedAt == Self.now)
        let subject = try Self.logOut(["sid": nil])
        #expect(subject.subject == "u-1" && subject.sessionID == nil)
        let session = try Self.logOut(["sub": nil])
        #expect(session.subject == nil && session.sessionID == "s-1")
    }

    @Test("it names a person or a session")
    func target() throws {
        #expect(throws: TokenError.missing("sub", needed: "a text, or sid,")) {
            try Self.logOut(["sub": nil, "sid": nil])
        }
        for claim in ["sub", "sid", "jti"] {
            for value in ["\"\"", "1", "null"] {
                #expect(throws: TokenError.missing(claim, needed: "a text of 1 to 255 bytes")) {
                    try Self.logOut([claim: value])
                }
            }
        }
        #expect(throws: TokenError.missing("jti", needed: "a text")) { try Self.logOut(["jti": nil]) }
    }

    @Test("it is of a kind that says so, or of the one that providers send")
    func type() throws {
        for type in ["JWT", "logout+jwt", "application/logout+jwt"] {
            _ = try Self.logOut(header: #"{"alg":"ES256","typ":"\#(type)"}"#)
        }
        #expect(throws: TokenError.type("at+jwt")) { try Self.logOut(header: #"{"alg":"ES256","typ":"at+jwt"}"#) }
    }

    @Test("Keycloak's older ones have no end, and another event beside")
    func keycloak() throws {
        _ = try Self.logOut(["exp": nil, "events": #"{"\#(Self.event)":{},"revoke_offline_access":true}"#])
    }

    @Test(
        "the event is an object under its exact name",
        arguments: [
            nil, "{}", "[]", "null", #"{"\#(event)":null}"#, #"{"\#(event)":[]}"#, #"{"\#(event)":true}"#,
            #"{"\#(event)":"{}"}"#, #"["\#(event)"]"#, #"{"http://schemas.openid.net/event/backchannel-logut":{}}"#,
        ])
    func events(value: String?) throws {
        #expect(throws: TokenError.kind("events: it has no object \(Self.event), so this is no log-out")) {
            try Self.logOut(["events": value])
        }
    }

    @Test("an ID token logs nobody out")
    func idToken() throws {
        #expect(throws: TokenError.kind("nonce: it is there, so this is no log-out")) {
            try Self.logOut(["nonce": "\"n\""])
        }
        #expect(throws: TokenError.kind("nonce: it is there, so this is no log-out")) {
            try Self.logOut(["nonce": "null"])
        }
    }

    @Test("it is good for five minutes, and not before it was issued")
    func times() throws {
        _ = try Self.logOut(["exp": nil], at: Self.now + 300)
        #expect(throws: TokenError.expired(at: Self.now + 300, now: Self.now + 301)) {
            try Self.logOut(["exp": nil], at: Self.now + 301)
        }
        #expect(throws: TokenError.expired(at: Self.now + 120, now: Self.now + 210)) {
            try Self.logOut(at: Self.now + 210)
        }
        _ = try Self.logOut(at: Self.now - 90)
        #expect(throws: TokenError.early(claim: "iat", at: Self.now, now: Self.now - 91)) {
            try Self.logOut(at: Self.now - 91)
        }
        #expect(throws: TokenError.missing("iat", needed: "a time")) { try Self.logOut(["iat": nil]) }
    }

    @Test("it is this issuer's, and for this client")
    func parties() throws {
        #expect(throws: TokenError.issuer("https://other.example")) {
            try Self.logOut(["iss": "\"https://other.example\""])
        }
        #expect(throws: TokenError.audience) { try Self.logOut(["aud": "\"other\""]) }
        let (key, other) = (try SigningKey.p256.get(), try SigningKey(.p256))
        let token = try ReceivedToken(other.token(Issuer.payload(of: Issuer.logoutClaims)))
        let keys = try Issuer.keySet([key.jwk()])
        #expect(throws: TokenError.signature) {
            try LogoutToken(token, from: keys, issuers: [Issuer.name], clientID: Issuer.client, at: Self.now)
        }
    }
}
