import Bytes
import FoundationEssentials
import Refusals
import Testing

@testable import OpenIDConnect

@Suite("Logins by a code")
struct AuthorizationTests {
    private static let issuer = "https://id.example.org"
    private static let redirect = "https://maps.example.org/login?via=id&x=1"

    private static func provider(_ more: String = "", authorization: String = "https://id.example.org/auth") throws
        -> ProviderMetadata
    {
        let text =
            #"{"issuer":"\#(issuer)","authorization_endpoint":"\#(authorization)","token_endpoint":"https://id.example.org/token","jwks_uri":"https://id.example.org/keys"\#(more)}"#
        return try ProviderMetadata(reading: Array(text.utf8), issuer: issuer)
    }

    private static func login(id: String = "waymark", secret: String? = "s3cret") -> Authorization {
        Authorization(
            client: OpenIDClient(id: id, secret: secret, redirectURI: redirect), state: "st&te", nonce: "n=1",
            verifierBytes: [UInt8](repeating: 1, count: 32))
    }

    /// The fields of a query or a form, decoded.
    private static func fields(_ text: Substring) throws -> [String: String] {
        let items = try #require(URLComponents(string: "/?\(text)")?.queryItems)
        return Dictionary(items.map { ($0.name, $0.value ?? "") }) { $0 + $1 }
    }

    @Test("PKCE's challenge is that of RFC 7636, appendix B")
    func challenge() {
        let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
        #expect(Authorization.challenge(of: verifier) == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
        #expect(Self.login().verifier.utf8.count == 43)
    }

    @Test("the browser is sent with all that the provider needs, and nothing that it could read differently")
    func address() throws {
        let address = Self.login().address(at: try Self.provider(), scopes: ["openid", "email"], maxAge: 300)
        let parts = address.split(separator: "?", maxSplits: 1)
        #expect(parts[0] == "https://id.example.org/auth")
        let fields = try Self.fields(parts[1])
        #expect(
            fields == [
                "response_type": "code", "client_id": "waymark", "redirect_uri": Self.redirect, "scope": "openid email",
                "state": "st&te", "nonce": "n=1", "code_challenge_method": "S256", "max_age": "300",
                "code_challenge": Authorization.challenge(of: Self.login().verifier),
            ])
        #expect(!address.contains(Self.login().verifier) && !address.contains("s3cret"))
    }

    @Test("an endpoint keeps the query that it has")
    func query() throws {
        let provider = try Self.provider(authorization: "https://id.example.org/auth?tenant=a")
        let address = Self.login().address(at: provider, scopes: ["openid"])
        #expect(address.hasPrefix("https://id.example.org/auth?tenant=a&response_type=code&"))
        #expect(!address.contains("max_age"))
    }

    @Test("all but letters, digits and four signs is escaped")
    func escapes() {
        #expect(URLText.escaped("aZ09-._~ +&=%/é\n\u{0}") == "aZ09-._~%20%2B%26%3D%25%2F%C3%A9%0A%00")
    }

    @Test("the code comes back with the state of this login")
    func code() throws {
        let (login, provider) = (Self.login(), try Self.provider())
        let code = try login.code(in: ["state": "st&te", "code": "c"], from: provider)
        #expect(code == "c")
        for state in [nil, "", "st&t", "st&te "] {
            #expect(throws: Refusal("state", "it is not that of this login")) {
                try login.code(in: ["code": "c"].merging(state.map { ["state": $0] } ?? [:]) { $1 }, from: provider)
            }
        }
        for code in [nil, "", String(repeating: "c", count: 4097)] {
            #expect(throws: Refusal(missing: "code", needed: "1 to 4096 bytes are")) {
                try login.code(in: ["state": "st&te"].merging(code.map { ["code": $0] } ?? [:]) { $1 }, from: provider)
            }
        }
    }

    @Test("a provider that refuses says why, and that counts only with the state of this login")
    func error() throws {
        let (login, provider) = (Self.login(), try Self.provider())
        #expect(throws: Refusal("error", "the provider answers \"access_denied\"")) {
            try login.code(in: ["state": "st&te", "error": "access_denied", "code": "c"], from: provider)
        }
        #expect(throws: Refusal("state", "it is not that of this login")) {
            try login.code(in: ["error": "access_denied"], from: provider)
        }
    }

    @Test("a redirect that names another issuer is not this one's, and one that has to name it does")
    func mixUp() throws {
        let login = Self.login()
        let naming = try Self.provider(#","authorization_response_iss_parameter_supported":true"#)
        let good = ["state": "st&te", "code": "c", "iss": Self.issuer]
        for provider in [naming, try Self.provider()] {
            let code = try login.code(in: good, from: provider)
            #expect(code == "c")
            for issuer in ["https://other.example", "\(Self.issuer)/", ""] {
                #expect(throws: Refusal.self) {
                    try login.code(in: good.merging(["iss": issuer]) { $1 }, from: provider)
                }
            }
        }
        #expect(throws: Refusal("iss", text: "", allowed: "the configured \"https://id.example.org\" is")) {
            try login.code(in: ["state": "st&te", "code": "c"], from: naming)
        }
    }

    @Test("the code is turned in with PKCE's verifier, and with the secret in a header")
    func basic() throws {
        let login = Self.login(id: "way:mark ä", secret: "s:3/=")
        let request = try TokenRequest(code: "c&d", of: login, at: Self.provider())
        let fields = try Self.fields(request.body[...])
        #expect(
            fields == [
                "grant_type": "authorization_code", "code": "c&d", "redirect_uri": Self.redirect,
                "code_verifier": login.verifier,
            ])
        let header = try #require(request.authorization)
        let pair = try #require(Data(base64Encoded: String(header.dropFirst("Basic ".count))))
        #expect(String(decoding: pair, as: UTF8.self) == "way%3Amark%20%C3%A4:s%3A3%2F%3D")
    }

    @Test("or with the secret in the form, or without one")
    func post() throws {
        let provider = try Self.provider(#","token_endpoint_auth_methods_supported":["client_secret_post"]"#)
        let request = try TokenRequest(code: "c", of: Self.login(), at: provider)
        let fields = try Self.fields(request.body[...])
        #expect(request.authorization == nil && fields["client_id"] == "waymark" && fields["client_secret"] == "s3cret")
        let open = try TokenRequest(code: "c", of: Self.login(secret: nil), at: provider)
        let openFields = try Self.fields(open.body[...])
        #expect(open.authorization == nil && openFields["client_id"] == "waymark" && openFields["client_secret"] == nil)
        #expect(openFields["code_verifier"] == Self.login().verifier)
    }

    @Test("a provider that takes no secret is not sent one")
    func noSecret() throws {
        let provider = try Self.provider(#","token_endpoint_auth_methods_supported":["tls_client_auth"]"#)
        #expect(throws: Refusal.self) { try TokenRequest(code: "c", of: Self.login(), at: provider) }
    }
}

@Suite("Answers of token endpoints")
struct TokenAnswerTests {
    private static func read(_ text: String) throws(Refusal) -> TokenAnswer {
        try TokenAnswer(reading: Array(text.utf8))
    }

    @Test("has an access token and an ID token", arguments: ["Bearer", "bearer", "BEARER"])
    func good(type: String) throws {
        let answer = try Self.read(
            #"{"access_token":"a","token_type":"\#(type)","expires_in":"5172337","id_token":"b.c.d","more":[]}"#)
        #expect(answer.accessToken == "a" && answer.idToken == "b.c.d")
    }

    @Test("an error is named, whatever else is there")
    func error() {
        #expect(throws: Refusal("error", "the provider answers \"invalid_grant\": \"used\"")) {
            try Self.read(#"{"error":"invalid_grant","error_description":"used","access_token":"a","id_token":"b"}"#)
        }
        #expect(throws: Refusal("error", "the provider answers \"invalid_client\"")) {
            try Self.read(#"{"error":"invalid_client","error_description":7}"#)
        }
    }

    @Test("what is missing or of another type is named", arguments: ["access_token", "id_token", "token_type"])
    func missing(name: String) {
        let members = ["access_token": "\"a\"", "id_token": "\"b\"", "token_type": "\"Bearer\""]
        for value in [nil, "null", "1", "\"\""] {
            var changed = members
            changed[name] = value
            let text = changed.map { #""\#($0.key)":\#($0.value)"# }.joined(separator: ",")
            #expect(throws: Refusal(missing: name, needed: "a text is")) { try Self.read("{\(text)}") }
        }
    }

    @Test("a token of another type, or longer than tokens are, is refused")
    func refused() throws {
        #expect(throws: Refusal("token_type", text: "DPoP", allowed: "Bearer is")) {
            try Self.read(#"{"access_token":"a","token_type":"DPoP","id_token":"b"}"#)
        }
        let long = String(repeating: "a", count: 16_385)
        #expect(throws: Refusal("access_token", 16_385, "bytes", allowed: "at most 16384 are")) {
            try Self.read(#"{"access_token":"\#(long)","token_type":"Bearer","id_token":"b"}"#)
        }
        #expect(throws: Refusal("id_token", 16_385, "bytes", allowed: "at most 16384 are")) {
            try Self.read(#"{"access_token":"a","token_type":"Bearer","id_token":"\#(long)"}"#)
        }
        for text in ["", "[]", "access_token=a&id_token=b", "<html>"] {
            #expect(throws: Refusal.self) { try Self.read(text) }
        }
        #expect(throws: Refusal("token answer", 65_537, "bytes", allowed: "at most 65536 are")) {
            try TokenAnswer(reading: [UInt8](repeating: 0x20, count: 65_537))
        }
    }
}
