import TestKeys

@testable import OpenIDConnect

/// A provider that issues tokens with keys of its own.
struct Issuer {
    static let name = "https://id.example.org/realms/maps"
    static let client = "waymark"
    static let nonce = "n-0S6_WzA2Mj"
    static let now: Int64 = 1_780_000_000

    /// What a good ID token says; nil removes a member, JSON replaces it.
    static func payload(_ changes: [String: String?] = [:], of claims: [String: String] = idClaims) -> String {
        let members = claims.merging(changes.compactMapValues { $0 }) { $1 }
            .filter { changes[$0.key] == nil || changes[$0.key] != .some(nil) }
        return "{\(members.sorted { $0.key < $1.key }.map { #""\#($0.key)":\#($0.value)"# }.joined(separator: ","))}"
    }

    static let idClaims = [
        "iss": "\"\(name)\"", "sub": #""u-1""#, "aud": "\"\(client)\"", "exp": "\(now + 300)", "iat": "\(now - 5)",
        "nonce": "\"\(nonce)\"", "email": #""ada@example.org""#, "email_verified": "true", "name": #""Ada""#,
        "sid": #""s-1""#,
    ]

    static let logoutClaims = [
        "iss": "\"\(name)\"", "aud": "\"\(client)\"", "iat": "\(now)", "exp": "\(now + 120)", "jti": #""j-1""#,
        "sub": #""u-1""#, "sid": #""s-1""#,
        "events": #"{"http://schemas.openid.net/event/backchannel-logout":{}}"#,
    ]

    static var rules: IDTokenRules { rules() }

    static func rules(maxAge: Int64? = nil, accessToken: String? = nil) -> IDTokenRules {
        IDTokenRules(
            issuers: [name], clientID: client, nonce: nonce, maxAge: maxAge, accessToken: accessToken)
    }

    /// The set of these keys, written as the members of `keys`.
    static func keySet(_ keys: [String]) throws -> KeySet {
        try KeySet(reading: Array(#"{"keys":[\#(keys.joined(separator: ","))]}"#.utf8))
    }

    /// Checks an ID token of these claims, signed with ES256.
    static func login(
        _ changes: [String: String?] = [:], header: String? = nil, rules: IDTokenRules = rules, at now: Int64 = now
    ) throws -> IDToken {
        let key = try SigningKey.p256.get()
        let token = try ReceivedToken(key.token(payload(changes), header: header))
        return try IDToken(token, from: keySet([key.jwk()]), by: rules, at: now)
    }
}
