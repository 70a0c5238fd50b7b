internal import JSONStream

/// The claims of a token, and the rules that tokens of all kinds have in common (OpenID Connect Core 1.0, section
/// 3.1.3.7). Times are seconds since 1970.
struct TokenClaims: Sendable {
    /// How far the clocks of two machines may be apart.
    static let clockTolerance: Int64 = 90
    /// Bytes of a subject, and of what else is kept of a token.
    static let longestText = 255

    private let members: [String: JSONValue]

    init(_ members: [String: JSONValue]) { self.members = members }

    subscript(name: String) -> JSONValue? { members[name] }

    /// The issuer has to be one of these, byte for byte.
    func checkIssuer(_ issuers: [String]) throws(TokenError) {
        guard let issuer = members["iss"], issuers.contains(where: issuer.isString) else {
            throw .issuer(members["iss"]?.string)
        }
    }

    /// The token is for this client; if it is for others too, it was issued to this one.
    func checkAudience(_ client: String) throws(TokenError) {
        let audience = members["aud"]
        let all = audience?.array ?? [audience].compactMap { $0 }
        guard all.contains(where: { $0.isString(client) }), all.allSatisfy({ $0.string != nil }) else {
            throw .audience
        }
        guard all.count == 1 || members["azp"]?.isString(client) ?? false else {
            throw .authorizedParty(members["azp"]?.string)
        }
    }

    /// It has begun, and is not over. `iat` has to be there, `exp` where it is `needed`.
    /// - Returns: when it was issued.
    func checkTimes(at now: Int64, needsEnd: Bool) throws(TokenError) -> Int64 {
        let end = try time("exp")
        if needsEnd, end == nil { throw .missing("exp", needed: "a time") }
        if let end, end + Self.clockTolerance <= now { throw .expired(at: end, now: now) }
        guard let issued = try time("iat") else { throw .missing("iat", needed: "a time") }
        for (claim, start) in [("iat", issued), ("nbf", try time("nbf") ?? issued)]
        where start > now + Self.clockTolerance {
            throw .early(claim: claim, at: start, now: now)
        }
        return issued
    }

    /// Nil when it is not there. Below 2^53, so that sums have room.
    func time(_ name: String) throws(TokenError) -> Int64? {
        guard let member = members[name] else { return nil }
        guard let time = member.count else { throw .missing(name, needed: "a time") }
        return time
    }

    /// An identifier: 1 to 255 bytes without control characters; nil when it is not there.
    func identifier(_ name: String) throws(TokenError) -> String? {
        guard members[name] != nil else { return nil }
        guard let text = shortText(name), !text.isEmpty else {
            throw .missing(name, needed: "a text of 1 to 255 bytes")
        }
        return text
    }

    /// A text that may be kept; nil when it is not there, too long, or has control characters.
    func shortText(_ name: String) -> String? {
        guard let text = members[name]?.string, text.utf8.count <= Self.longestText else { return nil }
        return text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f } ? text : nil
    }

    /// An address, and whether the issuer says that it is this person's.
    var email: (address: String?, isVerified: Bool) {
        let address = shortText("email")
        return (address, address != nil && members["email_verified"] == .literal(.yes))
    }
}
