internal import JSONStream

/// An issuer's message that a person has logged out there: a token that was checked (OpenID Connect Back-Channel Logout
/// 1.0, section 2.6).
package struct LogoutToken: Sendable, Equatable {
    private static let event = "http://schemas.openid.net/event/backchannel-logout"
    /// Seconds after which one is too old, by whichever clock.
    private static let life: Int64 = 300

    /// The configured one.
    package let issuer: String
    /// The person: all their sessions end, unless `sessionID` names one. One of the two is there.
    package let subject: String?
    package let sessionID: String?
    /// Names this message (`jti`): the second one with it does nothing.
    package let id: String
    /// Seconds since 1970. A login that began before must not end after.
    package let issuedAt: Int64

    /// - Parameters:
    ///   - issuers: the configured one, then other forms of it.
    ///   - now: seconds since 1970.
    package init(
        _ token: ReceivedToken, from keys: KeySet, issuers: [String], clientID: String, at now: Int64
    ) throws(TokenError) {
        // "JWT" is what Keycloak and Auth0 send.
        guard [nil, "jwt", "logout+jwt"].contains(token.type) else { throw .type(token.type ?? "") }
        let claims = token.claims
        try claims.checkIssuer(issuers)
        try token.check(by: keys)
        try claims.checkAudience(clientID)
        issuedAt = try claims.checkTimes(at: now, needsEnd: false)
        guard issuedAt + Self.life >= now else { throw .expired(at: issuedAt + Self.life, now: now) }
        guard claims["events"]?.object?[Self.event]?.object != nil else {
            throw .kind("events: it has no object \(Self.event), so this is no log-out")
        }
        guard claims["nonce"] == nil else { throw .kind("nonce: it is there, so this is no log-out") }
        subject = try claims.identifier("sub")
        sessionID = try claims.identifier("sid")
        guard subject != nil || sessionID != nil else { throw .missing("sub", needed: "a text, or sid,") }
        guard let id = try claims.identifier("jti") else { throw .missing("jti", needed: "a text") }
        self.id = id
        guard let issuer = issuers.first else { throw .issuer(nil) }
        self.issuer = issuer
    }
}
