import LoginProviders
import TestTools
import Testing

@Suite("P31 the file of login providers")
struct ProviderFileTests {
    private static let members = [
        "name": #""home""#, "label": #""Home""#, "issuer": #""https://id.example.org/""#, "client_id": #""waymark""#,
    ]

    /// A file with one provider of these members; nil leaves one out.
    private static func read(_ changes: [String: String?] = [:], secret: String = "s3cret\n") throws -> [ProviderConfig]
    {
        let folder = TemporaryFolder()
        try folder.write(secret, to: "secret")
        var members = members.mapValues { Optional($0) }
        members.merge(changes) { $1 }
        let text = members.compactMapValues { $0 }.sorted { $0.key < $1.key }.map { #""\#($0.key)":\#($0.value)"# }
        return try ProviderFile.read(
            try folder.write(#"{"providers":[{\#(text.joined(separator: ","))}]}"#, to: "p.json"))
    }

    @Test("describes a provider, with its secret in a file beside it")
    func good() throws {
        let provider = try #require(try Self.read(["client_secret_file": #""secret""#, "sign_up": "true"]).first)
        #expect(provider.name == "home" && provider.label == "Home" && provider.signsUp)
        #expect(
            try Self.read(["preset": #""facebook""#, "issuer": nil, "client_secret_file": #""secret""#]).count == 1)
    }

    @Test("is refused by the file, the provider and the field")
    func problems() throws {
        for (changes, words) in [
            (["name": nil], "providers[0].name: it is missing"),
            (["name": #""Home""#], "name: \"Home\" is not allowed"),
            (["label": nil], "provider \"home\", label: it is missing"), (["issuer": nil], "issuer: it is missing"),
            (["issuer": #""http://id.example.org""#], "issuer: \"http://id.example.org\" is not allowed"),
            (["issuer": "7"], "issuer: a text"), (["client_id": #""""#], "client_id: a text"),
            (["client_secret": #""x""#], "client_secret: it is not known"),
            (["client_secret_file": #""none""#], "client_secret_file: "),
            (["sign_up": #""yes""#], "sign_up: true or false"),
            (["scopes": #"["email"]"#], "scopes: "),
            (["endpoints": #"{"tokens":"x"}"#], "endpoints.tokens: it is not known"),
            (["endpoints": #"{"token":"ftp://x"}"#], "endpoints.token: \"ftp://x\" is not allowed"),
            (["preset": #""google""#], "preset: \"google\" is not allowed"),
            (["graph_url": #""https://graph.example""#], "graph_url: it is for the preset facebook alone"),
            (["preset": #""facebook""#], "client_secret_file: it is missing"),
            (["app_audiences": "[]"], "app_audiences: "),
        ] as [([String: String?], String)] {
            let error = #expect(throws: ProviderFile.Problem.self) { () throws in _ = try Self.read(changes) }
            #expect(error?.description.contains(words) == true, "\(error?.description ?? "") lacks \(words)")
            #expect(error?.description.contains("/p.json: ") == true && error?.description.contains("s3cret") == false)
        }
        let error = #expect(throws: ProviderFile.Problem.self) { () throws in
            _ = try Self.read(["client_secret_file": #""secret""#], secret: "\n")
        }
        #expect(error?.description.contains("is no secret") == true)
    }

    @Test("has each name once, and nothing else")
    func whole() throws {
        let folder = TemporaryFolder()
        let one =
            "{\(Self.members.sorted { $0.key < $1.key }.map { #""\#($0.key)":\#($0.value)"# }.joined(separator: ","))}"
        for (text, words) in [
            ("[]", "providers: it is missing"), (#"{"providers":[]}"#, "0 providers are not allowed"),
            (#"{"providers":[\#(one),\#(one)]}"#, "is there twice"), ("{", "p.json: "),
        ] {
            let path = try folder.write(text, to: "p.json")
            let error = #expect(throws: ProviderFile.Problem.self) { () throws in _ = try ProviderFile.read(path) }
            #expect(error?.description.contains(words) == true)
        }
    }
}
