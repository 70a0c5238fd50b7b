internal import JSONStream
package import Refusals

extension IDToken {
    /// Bytes of the JSON.
    package static let longestUserInfo = 64 << 10

    /// The same person with what the userinfo endpoint says of them and the token doesn't (OpenID Connect Core 1.0,
    /// section 5.3): some providers, such as Authelia, have names and addresses only there.
    package mutating func add(userInfo json: [UInt8]) throws(Refusal) {
        let document = try Document(json, "userinfo", longest: Self.longestUserInfo)
        // It could be about someone else (section 5.3.4).
        guard let subject = document.members["sub"], subject.isString(self.subject) else {
            throw Refusal("sub", "it is not that of the ID token")
        }
        let claims = TokenClaims(document.members)
        name = name ?? claims.shortText("name")
        if email == nil { (email, hasVerifiedEmail) = claims.email }
    }
}
