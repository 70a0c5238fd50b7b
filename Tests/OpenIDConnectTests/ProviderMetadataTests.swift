import Refusals
import Testing

@testable import OpenIDConnect

@Suite("Discovery documents")
struct ProviderMetadataTests {
    private static let issuer = "https://id.example.org/realms/maps"

    /// A document; nil removes a member, JSON replaces it.
    private static func read(
        _ changes: [String: String?] = [:], instead: ProviderMetadata.Overrides = .init(), allowsHTTP: Bool = false
    ) throws(Refusal) -> ProviderMetadata {
        var members = [
            "issuer": "\"\(issuer)\"", "authorization_endpoint": #""https://id.example.org/auth""#,
            "token_endpoint": #""https://id.example.org/token""#, "jwks_uri": #""https://keys.example.org/""#,
            "userinfo_endpoint": #""https://id.example.org/me""#,
        ]
        for (name, value) in changes { members[name] = value }
        let text = members.map { #""\#($0.key)":\#($0.value)"# }.joined(separator: ",")
        return try ProviderMetadata(
            reading: Array("{\(text)}".utf8), issuer: issuer, instead: instead, allowsHTTP: allowsHTTP)
    }

    @Test("says where a provider is asked")
    func addresses() throws {
        let provider = try Self.read()
        #expect(provider.issuer == Self.issuer && provider.tokenEndpoint == "https://id.example.org/token")
        #expect(provider.authorizationEndpoint == "https://id.example.org/auth")
        #expect(provider.keysEndpoint == "https://keys.example.org/" && !provider.namesIssuer)
        #expect(provider.userInfoEndpoint == "https://id.example.org/me" && provider.endSessionEndpoint == nil)
    }

    @Test("is at a fixed place below the issuer, with one slash")
    func place() {
        let place = "https://a.example/o/.well-known/openid-configuration"
        #expect(ProviderMetadata.address(of: "https://a.example/o") == place)
        #expect(ProviderMetadata.address(of: "https://a.example/o/") == place)
    }

    @Test("names the configured issuer, byte for byte")
    func issuer() {
        for value in ["\"\(Self.issuer)/\"", "\"https://attacker.example\"", "1", nil, "\"\""] {
            #expect(throws: Refusal.self) { try Self.read(["issuer": value]) }
        }
    }

    @Test("needs three addresses", arguments: ["authorization_endpoint", "token_endpoint", "jwks_uri"])
    func missing(name: String) {
        #expect(throws: Refusal(missing: name, needed: "an address is")) { try Self.read([name: nil]) }
        #expect(throws: Refusal(missing: name, needed: "an address is")) { try Self.read([name: "[]"]) }
    }

    @Test("an address that is configured holds, whatever the document says")
    func overrides() throws {
        var instead = ProviderMetadata.Overrides()
        instead.authorization = "https://a.example/"
        instead.token = "https://graph.facebook.com/v25.0/oauth/access_token"
        instead.keys = "https://limited.facebook.com/.well-known/oauth/openid/jwks/"
        instead.userInfo = "https://b.example/"
        instead.endSession = "https://c.example/"
        let provider = try Self.read(["token_endpoint": nil], instead: instead)
        #expect(provider.authorizationEndpoint == "https://a.example/" && provider.tokenEndpoint == instead.token)
        #expect(provider.keysEndpoint == instead.keys && provider.userInfoEndpoint == "https://b.example/")
        #expect(provider.endSessionEndpoint == "https://c.example/")
        instead.token = "http://graph.facebook.com/"
        #expect(throws: Refusal.self) { try Self.read(instead: instead) }
    }

    @Test(
        "an address is one of https that can be read in one way only",
        arguments: [
            "", "https://", "https:///token", "http://id.example.org/", "HTTPS://id.example.org/", "ftp://a.example/",
            "javascript:alert(1)", "//id.example.org/", "https://a.example@b.example/", "https://a.example/#b",
            "https://a.example/ b", "https://a.example/\\u0000", "https://a.example\\\\b", "https://a.example/\\n",
            "https://é.example/", "https://a.example:x/", "https://a.example:99999/", "https://a.example:/",
            "https://[::1", "https://[::1]x", "https://[a@b]/", "https://a:+1/", "https://a%2eb/", "https://a_b@c/",
            "https://?a", "https://:443/",
        ])
    func wrong(address: String) {
        for name in [
            "authorization_endpoint", "token_endpoint", "jwks_uri", "userinfo_endpoint", "end_session_endpoint",
        ] {
            #expect(throws: Refusal.self) {
                try Self.read([name: "\"\(address)\""], allowsHTTP: address.hasPrefix("https"))
            }
        }
    }

    @Test("an address has at most 2,048 bytes")
    func length() throws {
        let start = "https://a.example/"
        let most = start + String(repeating: "x", count: 2048 - start.utf8.count)
        _ = try Self.read(["jwks_uri": "\"\(most)\""])
        #expect(throws: Refusal("jwks_uri", 2049, "bytes", allowed: "at most 2048 are")) {
            try Self.read(["jwks_uri": "\"\(most)x\""])
        }
    }

    @Test("plain text is for servers of the same machine, and only if the caller allows it")
    func loopback() throws {
        for address in ["http://localhost:8080/token", "http://127.0.0.1/", "http://[::1]:9400/oauth2/token?a=b"] {
            let provider = try Self.read(["token_endpoint": "\"\(address)\""], allowsHTTP: true)
            #expect(provider.tokenEndpoint == address)
            #expect(throws: Refusal.self) { try Self.read(["token_endpoint": "\"\(address)\""]) }
        }
        for address in [
            "http://localhost.example.org/", "http://127.0.0.1.example/", "http://10.0.0.1/", "http://[::2]/",
        ] {
            #expect(throws: Refusal.self) { try Self.read(["token_endpoint": "\"\(address)\""], allowsHTTP: true) }
        }
    }

    @Test("a provider that says how it takes PKCE takes S256")
    func challenges() throws {
        for value in [nil, #"["plain","S256"]"#, #"["S256"]"#] {
            _ = try Self.read(["code_challenge_methods_supported": value])
        }
        for value in [#"["plain"]"#, "[]", #""S256""#, "null"] {
            #expect(throws: Refusal("code_challenge_methods_supported", "S256 is missing")) {
                try Self.read(["code_challenge_methods_supported": value])
            }
        }
    }

    @Test(
        "a client with a secret proves itself as the provider takes it",
        arguments: [
            (nil, .basic), (#"["client_secret_post","client_secret_basic"]"#, .basic),
            (#"["client_secret_post"]"#, .post), (#"["private_key_jwt","client_secret_post"]"#, .post),
            (#"["private_key_jwt"]"#, nil), ("[]", nil), (#"["none"]"#, nil),
        ] as [(String?, ClientAuthentication?)])
    func authentication(methods: String?, expected: ClientAuthentication?) throws {
        let provider = try Self.read(["token_endpoint_auth_methods_supported": methods])
        let client = OpenIDClient(id: "a", secret: "b", redirectURI: "https://maps.example.org/in")
        #expect((try? provider.authentication(of: client)) == expected)
        let open = OpenIDClient(id: "a", secret: nil, redirectURI: "https://maps.example.org/in")
        let none = try provider.authentication(of: open)
        #expect(none == .none)
        var instead = ProviderMetadata.Overrides()
        instead.authentication = .post
        let configured = try Self.read(["token_endpoint_auth_methods_supported": methods], instead: instead)
        let post = try configured.authentication(of: client)
        #expect(post == .post)
    }

    @Test("only true says that redirects name the issuer")
    func namesIssuer() throws {
        for (value, names) in [("true", true), ("false", false), ("\"true\"", false), ("1", false)] {
            let provider = try Self.read(["authorization_response_iss_parameter_supported": value])
            #expect(provider.namesIssuer == names)
        }
    }

    @Test("is an object of JSON with at most 64 KiB, and refused when it is cut anywhere")
    func bounds() throws {
        let text =
            #"{"issuer":"\#(Self.issuer)","authorization_endpoint":"https://a.example/","token_endpoint":"https://a.example/","jwks_uri":"https://a.example/"}"#
        let bytes = Array(text.utf8)
        _ = try ProviderMetadata(reading: bytes, issuer: Self.issuer)
        for count in 0..<bytes.count {
            #expect(throws: Refusal.self) { try ProviderMetadata(reading: Array(bytes[..<count]), issuer: Self.issuer) }
        }
        #expect(throws: Refusal("discovery document", 65_537, "bytes", allowed: "at most 65536 are")) {
            try ProviderMetadata(
                reading: bytes + [UInt8](repeating: 0x20, count: 65_537 - bytes.count), issuer: Self.issuer)
        }
        #expect(throws: Refusal("discovery document", "it is no object of JSON")) {
            try ProviderMetadata(reading: Array("[]".utf8), issuer: Self.issuer)
        }
    }
}
