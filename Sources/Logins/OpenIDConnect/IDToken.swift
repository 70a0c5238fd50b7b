internal import Bytes
internal import Crypto
internal import JSONStream
internal import Signatures

/// What an issuer says of a person who logged in: a token that was checked (OpenID Connect Core 1.0, sections 2 and
/// 3.1.3.7).
package struct IDToken: Sendable, Equatable {
    /// The configured one. With `subject` it is the key of the identity; nothing else is.
    package let issuer: String
    /// 1 to 255 bytes.
    package let subject: String
    /// At most 255 bytes, as are the other texts.
    package internal(set) var email: String?
    /// The issuer says that the address is this person's. Only `true` says so; a text that reads "true" does not.
    package internal(set) var hasVerifiedEmail: Bool
    package internal(set) var name: String?
    /// The session at the issuer, which a log-out names.
    package let sessionID: String?
    /// When it was issued, and when it is over, in seconds since 1970.
    package let issuedAt: Int64
    package let end: Int64

    /// Checks everything that this client can know.
    /// - Parameter now: seconds since 1970.
    package init(
        _ token: ReceivedToken, from keys: KeySet, by rules: IDTokenRules, at now: Int64
    ) throws(TokenError) {
        guard [nil, "jwt"].contains(token.type) else { throw .type(token.type ?? "") }
        let claims = token.claims
        try claims.checkIssuer(rules.issuers)
        try token.check(by: keys)
        guard claims["events"] == nil else { throw .kind("events: it is there, so this is no ID token") }
        try claims.checkAudience(rules.clientID)
        issuedAt = try claims.checkTimes(at: now, needsEnd: true)
        guard rules.isNonce(claims["nonce"]) else { throw .nonce }
        try Self.checkLogin(claims, rules, at: now)
        try Self.checkHash(claims, rules, token.algorithm)
        guard let issuer = rules.issuers.first else { throw .issuer(nil) }
        guard let subject = try claims.identifier("sub") else { throw .missing("sub", needed: "a text") }
        self.issuer = issuer
        self.subject = subject
        (email, hasVerifiedEmail) = claims.email
        name = claims.shortText("name")
        sessionID = claims.shortText("sid")
        end = try claims.time("exp") ?? now
    }

    private static func checkLogin(_ claims: TokenClaims, _ rules: IDTokenRules, at now: Int64) throws(TokenError) {
        let time = try claims.time("auth_time")
        guard let maxAge = rules.maxAge else { return }
        guard let time else { throw .missing("auth_time", needed: "a time") }
        guard time + maxAge + TokenClaims.clockTolerance >= now else { throw .oldLogin(at: time, maxAge: maxAge) }
    }

    /// The left half of the access token's digest, by the digest of the signature.
    private static func checkHash(
        _ claims: TokenClaims, _ rules: IDTokenRules, _ algorithm: SignatureAlgorithm
    ) throws(TokenError) {
        guard let hash = claims["at_hash"], let accessToken = rules.accessToken else { return }
        let bytes = Array(accessToken.utf8)
        let digest = algorithm == .edDSA ? SHA512.digest(bytes) : SHA256.digest(bytes)
        guard hash.isString(Base64URL.encode(Array(digest.prefix(digest.count / 2)))) else { throw .accessTokenHash }
    }
}

/// What an ID token has to say.
package struct IDTokenRules: Sendable {
    /// In which form the nonce comes back.
    package enum NonceForm: Sendable {
        case plain
        /// 64 hexadecimal digits of its SHA-256, as apps send it to Facebook.
        case sha256
    }

    /// The configured one, then other forms of it: Google's old tokens have theirs without "https://".
    let issuers: [String]
    let clientID: String
    private let nonce: String
    private let nonceForm: NonceForm
    /// Seconds since the person proved who they are; nil for any.
    let maxAge: Int64?
    /// The one that came with the ID token.
    let accessToken: String?

    /// - Parameters:
    ///   - nonce: that of this login; never empty.
    ///   - maxAge: at most a year.
    package init(
        issuers: [String], clientID: String, nonce: String, nonceForm: NonceForm = .plain, maxAge: Int64? = nil,
        accessToken: String? = nil
    ) {
        self.issuers = issuers
        self.clientID = clientID
        self.nonce = nonce
        self.nonceForm = nonceForm
        self.maxAge = maxAge.map { min($0, 366 * 86_400) }
        self.accessToken = accessToken
    }

    func isNonce(_ claim: JSONValue?) -> Bool {
        guard let claim, !nonce.isEmpty else { return false }
        switch nonceForm {
        case .plain: return claim.isString(nonce)
        case .sha256:
            let digest = SHA256.digest(Array(nonce.utf8))
            return claim.isString(digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())
        }
    }
}
