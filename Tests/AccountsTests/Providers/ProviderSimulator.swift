import Bytes
import Crypto
import HTTP
import HTTPClient
import Synchronization
import TestKeys
import TestSupport

/// A simulator of an OpenID provider and of Facebook's Graph, for what real ones for tests lack: ES256, other keys from
/// now on, PKCE that is checked, clocks that go wrong, and answers that lie.
final class ProviderSimulator: Sendable {
    static let secret = "a secret of the client"

    struct State: Sendable {
        var base = ""
        var algorithm = "RS256"
        var keyID = "k1"
        /// What ID tokens say beside what follows from the login; JSON by name, nil leaves a member out.
        var claims: [String: String?] = [
            "sub": #""u-1""#, "email": #""ann@example.org""#, "email_verified": "true", "name": #""Ann Tester""#,
        ]
        var userInfo = ""
        /// What the redirect says beside the state.
        var denies = false
        var namesIssuer = true
        var issuerInRedirect: String?
        var isAway = false
        var now: Int64 = 1_700_000_000
        var graphApp = "waymark"
        /// Whether it describes itself, and takes a client's secret, as Facebook does.
        var isFacebook = false
        fileprivate var logins: [String: Login] = [:]
    }

    fileprivate struct Login: Sendable {
        let nonce: String
        let challenge: String
        let redirectURI: String
    }

    private let state = Mutex(State())

    func change(_ body: (inout State) -> Void) { state.withLock { body(&$0) } }

    /// Runs `body` with a simulator, and a client that browses like a person.
    static func with(_ body: (ProviderSimulator, HTTPFixture) async throws -> Void) async throws {
        let simulator = ProviderSimulator()
        try await HTTPFixture.with({ simulator.answer($0) }) { fixture, address in
            simulator.change { $0.base = address }
            try await body(simulator, fixture)
        }
    }

    var base: String { state.withLock { $0.base } }

    /// An ID token for an app.
    func token(audience: String, _ more: [String: String?] = [:]) throws -> String {
        let state = state.withLock { $0 }
        return try Self.token(state, audience, more)
    }

    /// What its server sends when a person has logged out.
    func logoutToken(audience: String = "waymark", id: String, _ more: [String: String?] = [:]) throws -> String {
        let state = state.withLock { $0 }
        let event = #"{"http://schemas.openid.net/event/backchannel-logout":{}}"#
        let claims: [String: String?] = ["events": event, "jti": "\"\(id)\"", "email": nil, "name": nil]
        return try Self.token(state, audience, claims.merging(more) { $1 })
    }

    private static func token(_ state: State, _ audience: String, _ more: [String: String?]) throws -> String {
        let key = try SigningKey.shared(state.algorithm)
        var claims: [String: String?] = [
            "iss": "\"\(state.base)\"", "aud": "\"\(audience)\"", "iat": "\(state.now)", "exp": "\(state.now + 300)",
        ]
        claims.merge(state.claims) { $1 }
        claims.merge(more) { $1 }
        let members = claims.compactMapValues { $0 }.sorted { $0.key < $1.key }.map { #""\#($0.key)":\#($0.value)"# }
        return try key.token(
            "{\(members.joined(separator: ","))}", header: #"{"alg":"\#(key.joseName)","kid":"\#(state.keyID)"}"#)
    }

    private func answer(_ request: HTTPRequest) -> HTTPResponse {
        state.withLock { state in
            if state.isAway { return HTTPResponse(503) }
            switch request.path {
            case "/.well-known/openid-configuration": return Self.json(Self.discovery(state))
            case "/jwks": return Self.keys(state)
            case "/authorize": return Self.authorize(request, &state)
            case "/token", "/graph/oauth/access_token": return Self.exchange(request, &state)
            case "/userinfo": return Self.json(state.userInfo)
            case "/graph/debug_token":
                let isValid =
                    request.query["input_token"] == "good" && request.query["access_token"] == "waymark|\(Self.secret)"
                return Self.json(
                    #"{"data":{"app_id":"\#(state.graphApp)","is_valid":\#(isValid),"user_id":"1234"}}"#)
            case "/graph/me":
                return Self.json(#"{"id":"1234","name":"Ann Tester","email":"ann@example.org"}"#)
            default: return HTTPResponse(404)
            }
        }
    }

    private static func discovery(_ state: State) -> String {
        let base = state.base
        // Facebook's names no other endpoints.
        if state.isFacebook {
            return #"{"issuer":"\#(base)","authorization_endpoint":"\#(base)/authorize","jwks_uri":"\#(base)/jwks","#
                + #""response_types_supported":["id_token","token id_token"]}"#
        }
        let userInfo = state.userInfo.isEmpty ? "" : #","userinfo_endpoint":"\#(base)/userinfo""#
        return #"{"issuer":"\#(base)","authorization_endpoint":"\#(base)/authorize","token_endpoint":"\#(base)/token","#
            + #""jwks_uri":"\#(base)/jwks","authorization_response_iss_parameter_supported":\#(state.namesIssuer)"#
            + "\(userInfo)}"
    }

    private static func keys(_ state: State) -> HTTPResponse {
        guard let key = try? SigningKey.shared(state.algorithm) else { return HTTPResponse(500) }
        return json(#"{"keys":[\#(key.jwk(id: state.keyID))]}"#)
    }

    /// The person agrees, or does not.
    private static func authorize(_ request: HTTPRequest, _ state: inout State) -> HTTPResponse {
        func parameter(_ name: String) -> String { request.query[name] ?? "" }
        guard parameter("code_challenge_method") == "S256" else { return HTTPResponse(400) }
        let issuer = state.issuerInRedirect ?? (state.namesIssuer ? state.base : nil)
        var answer = "\(parameter("redirect_uri"))?state=\(parameter("state"))\(issuer.map { "&iss=\($0)" } ?? "")"
        if state.denies {
            answer += "&error=access_denied"
        } else {
            let code = Base64URL.encode(RandomBytes.make(16))
            state.logins[code] = Login(
                nonce: parameter("nonce"), challenge: parameter("code_challenge"),
                redirectURI: parameter("redirect_uri"))
            answer += "&code=\(code)"
        }
        return HTTPResponse(303, headers: [("Location", answer)])
    }

    private static func exchange(_ request: HTTPRequest, _ state: inout State) -> HTTPResponse {
        let form = form(String(decoding: request.body, as: UTF8.self))
        let isProven =
            state.isFacebook
            ? request.path.hasPrefix("/graph/") && form["client_id"] == "waymark" && form["client_secret"] == secret
                && request.headers["authorization"] == nil
            : request.headers["authorization"]?.hasPrefix("Basic ") == true
        guard isProven else { return HTTPResponse(401) }
        guard let login = form["code"].flatMap({ state.logins.removeValue(forKey: $0) }),
            login.redirectURI == form["redirect_uri"],
            Base64URL.encode(SHA256.digest(Array((form["code_verifier"] ?? "").utf8))) == login.challenge,
            let token = try? token(state, "waymark", ["nonce": "\"\(login.nonce)\""].merging(state.claims) { $1 })
        else { return json(#"{"error":"invalid_grant"}"#, status: 400) }
        return json(#"{"access_token":"a","token_type":"Bearer","id_token":"\#(token)"}"#)
    }

    private static func json(_ text: String, status: Int = 200) -> HTTPResponse {
        HTTPResponse(status, headers: [("Content-Type", "application/json")], body: .bytes(Array(text.utf8)))
    }

    private static func form(_ text: String) -> [String: String] {
        text.split(separator: "&").reduce(into: [:]) { form, pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(decoded)
            if parts.count == 2 { form[parts[0]] = parts[1] }
        }
    }

    private static func decoded(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = text[...]
        while let character = rest.popFirst() {
            if character == "%", let byte = UInt8(rest.prefix(2), radix: 16) {
                bytes.append(byte)
                rest = rest.dropFirst(2)
            } else {
                bytes += Array(String(character).utf8)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
