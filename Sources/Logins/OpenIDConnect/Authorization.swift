internal import Bytes
internal import Crypto
package import Refusals

/// This program as a provider knows it.
package struct OpenIDClient: Sendable {
    let id: String
    /// Nil for a client that can't keep one.
    let secret: String?
    /// Where browsers come back to; the provider compares it byte for byte.
    let redirectURI: String

    package init(id: String, secret: String?, redirectURI: String) {
        self.id = id
        self.secret = secret
        self.redirectURI = redirectURI
    }
}

/// One login by the authorization code flow (OpenID Connect Core 1.0, section 3.1), with PKCE (RFC 7636).
package struct Authorization: Sendable {
    private static let longestCode = 4096

    let client: OpenIDClient
    /// Comes back with the redirect; bound to the browser by its session.
    private let state: String
    /// Comes back in the ID token.
    private let nonce: String
    /// Proves to the token endpoint that the same program began the login.
    let verifier: String

    /// - Parameters:
    ///   - state, nonce: random, of this login alone.
    ///   - verifierBytes: 32 random bytes, of this login alone.
    package init(client: OpenIDClient, state: String, nonce: String, verifierBytes: [UInt8]) {
        self.client = client
        self.state = state
        self.nonce = nonce
        verifier = Base64URL.encode(verifierBytes)
    }

    /// Where to send the browser.
    /// - Parameters:
    ///   - scopes: with "openid" among them.
    ///   - maxAge: seconds since the person proved who they are; nil for any.
    package func address(at provider: ProviderMetadata, scopes: [String], maxAge: Int64? = nil) -> String {
        var fields = [
            ("response_type", "code"), ("client_id", client.id), ("redirect_uri", client.redirectURI),
            ("scope", scopes.joined(separator: " ")), ("state", state), ("nonce", nonce),
            ("code_challenge", Self.challenge(of: verifier)), ("code_challenge_method", "S256"),
        ]
        if let maxAge { fields.append(("max_age", "\(maxAge)")) }
        let endpoint = provider.authorizationEndpoint
        return endpoint + (endpoint.holds("?") ? "&" : "?") + Form.text(fields)
    }

    /// The code that the browser brings back.
    /// - Parameter parameters: those of the redirect, decoded.
    package func code(in parameters: [String: String], from provider: ProviderMetadata) throws(Refusal) -> String {
        guard let state = parameters["state"], state.utf8.elementsEqual(self.state.utf8) else {
            throw Refusal("state", "it is not that of this login")
        }
        let issuer = parameters["iss"]
        // Another provider would be given this one's code, or the other way round (RFC 9207).
        guard issuer.map({ $0.utf8.elementsEqual(provider.issuer.utf8) }) ?? !provider.namesIssuer else {
            throw Refusal("iss", text: issuer ?? "", allowed: "the configured \(provider.issuer.quoted) is")
        }
        if let error = parameters["error"] {
            throw Refusal("error", "the provider answers \(error.quoted)")
        }
        guard let code = parameters["code"], (1...Self.longestCode).contains(code.utf8.count) else {
            throw Refusal(missing: "code", needed: "1 to \(Self.longestCode) bytes are")
        }
        return code
    }

    /// S256 of RFC 7636, section 4.2.
    static func challenge(of verifier: String) -> String { Base64URL.encode(SHA256.digest(Array(verifier.utf8))) }
}
