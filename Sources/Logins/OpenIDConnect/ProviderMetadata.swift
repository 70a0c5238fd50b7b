internal import Bytes
internal import JSONStream
package import Refusals

/// What a provider says of itself: its discovery document (OpenID Connect Discovery 1.0, section 3). Its lists of
/// algorithms and claims are not read: what is accepted is decided here.
package struct ProviderMetadata: Sendable, Equatable {
    /// Bytes of the JSON.
    package static let longest = 64 << 10

    /// What holds instead of what the document says, or of what it lacks, as Facebook's does.
    package struct Overrides: Sendable {
        package var authorization: String?
        package var token: String?
        package var keys: String?
        package var userInfo: String?
        package var endSession: String?
        package var authentication: ClientAuthentication?

        package init() {}
    }

    package let issuer: String
    package let authorizationEndpoint: String
    package let tokenEndpoint: String
    /// Where the `KeySet` is.
    package let keysEndpoint: String
    /// Where claims are that ID tokens lack.
    package let userInfoEndpoint: String?
    /// Where a browser is sent to log out at the provider too.
    package let endSessionEndpoint: String?
    /// The redirect back names the issuer (RFC 9207).
    let namesIssuer: Bool
    private let authentications: [ClientAuthentication]

    /// Where the document of an issuer is.
    package static func address(of issuer: String) -> String {
        (issuer.ends(with: "/") ? String(issuer.dropLast()) : issuer) + "/.well-known/openid-configuration"
    }

    /// Reads a document.
    /// - Parameters:
    ///   - issuer: the configured one, which the document has to name byte for byte.
    ///   - allowsHTTP: whether servers of this machine may be asked without TLS.
    package init(
        reading json: [UInt8], issuer: String, instead overrides: Overrides = Overrides(), allowsHTTP: Bool = false
    ) throws(Refusal) {
        let document = try Document(json, "discovery document", longest: Self.longest)
        let named = try document.text("issuer")
        guard named.utf8.elementsEqual(issuer.utf8) else {
            throw Refusal("issuer", text: named, allowed: "the configured \(issuer.quoted) is")
        }
        func find(_ name: String, _ override: String?) throws(Refusal) -> String? {
            guard let address = override ?? document.members[name]?.string else { return nil }
            return try ProviderAddress.checked(address, name, allowsHTTP: allowsHTTP)
        }
        func need(_ name: String, _ override: String?) throws(Refusal) -> String {
            guard let address = try find(name, override) else { throw Refusal(missing: name, needed: "an address is") }
            return address
        }
        self.issuer = issuer
        authorizationEndpoint = try need("authorization_endpoint", overrides.authorization)
        tokenEndpoint = try need("token_endpoint", overrides.token)
        keysEndpoint = try need("jwks_uri", overrides.keys)
        userInfoEndpoint = try find("userinfo_endpoint", overrides.userInfo)
        endSessionEndpoint = try find("end_session_endpoint", overrides.endSession)
        namesIssuer = document.members["authorization_response_iss_parameter_supported"] == .literal(.yes)
        let challenges = document.members["code_challenge_methods_supported"]
        guard challenges.map({ $0.array?.contains(.string("S256")) ?? false }) ?? true else {
            throw Refusal("code_challenge_methods_supported", "S256 is missing")
        }
        let methods = document.members["token_endpoint_auth_methods_supported"]?.array
        // The standard's default is basic.
        let listed = methods?.compactMap { $0.string.flatMap(ClientAuthentication.init) } ?? [.basic]
        authentications = overrides.authentication.map { [$0] } ?? listed
    }

    /// How a client proves to the token endpoint who it is; refused when the provider takes nothing that is known here.
    func authentication(of client: OpenIDClient) throws(Refusal) -> ClientAuthentication {
        guard client.secret != nil else { return .none }
        guard let first = [ClientAuthentication.basic, .post].first(where: authentications.contains) else {
            throw Refusal("token_endpoint_auth_methods_supported", "neither client_secret_basic nor client_secret_post")
        }
        return first
    }
}

/// How a client proves to the token endpoint who it is (OpenID Connect Core 1.0, section 9).
package enum ClientAuthentication: String, Sendable {
    case basic = "client_secret_basic"
    case post = "client_secret_post"
    case none
}
