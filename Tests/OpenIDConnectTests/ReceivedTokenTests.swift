import Bytes
import Signatures
import TestKeys
import Testing

@testable import OpenIDConnect

@Suite("Tokens as they are received")
struct ReceivedTokenTests {
    private static func base64(_ text: String) -> String { Base64URL.encode(Array(text.utf8)) }

    /// A token with that header, and no signature that means anything.
    private static func read(header: String, payload: String = "{}") throws(TokenError) -> ReceivedToken {
        try ReceivedToken("\(base64(header)).\(base64(payload)).AA")
    }

    @Test("the header says which key and which kind")
    func header() throws {
        let token = try Self.read(header: #"{"alg":"RS256","kid":"k","typ":"application/LOGOUT+jwt","x5u":"a"}"#)
        #expect(token.algorithm == .rs256 && token.keyID == "k" && token.type == "logout+jwt")
        let bare = try Self.read(header: #"{"alg":"EdDSA"}"#)
        #expect(bare.keyID == nil && bare.type == nil)
    }

    @Test(
        "only three algorithms are known, by their exact names",
        arguments: [
            "none", "None", "nOnE", "HS256", "HS384", "HS512", "RS384", "RS512", "PS256", "ES384", "ES256K", "es256",
            "rs256", "RS256 ", "EDDSA", "", "dir", "RSA-OAEP",
        ])
    func algorithms(name: String) throws {
        #expect(throws: TokenError.algorithm(name)) { try Self.read(header: #"{"alg":"\#(name)"}"#) }
    }

    @Test(
        "an algorithm that is missing or no text is refused",
        arguments: ["{}", #"{"alg":null}"#, #"{"alg":["RS256"]}"#])
    func noAlgorithm(header: String) {
        #expect(throws: TokenError.algorithm(nil)) { try Self.read(header: header) }
    }

    @Test("a header that says something twice is refused, whichever a reader would take")
    func twice() {
        #expect(throws: TokenError.json(of: "header", problem: "a member is there twice")) {
            try Self.read(header: #"{"alg":"none","alg":"RS256"}"#)
        }
        #expect(throws: TokenError.json(of: "payload", problem: "a member is there twice")) {
            try Self.read(header: #"{"alg":"RS256"}"#, payload: #"{"sub":"a","s\u0075b":"b"}"#)
        }
    }

    @Test("what has to be understood is not", arguments: [#"["b64"]"#, "[]", "null"])
    func critical(value: String) {
        #expect(throws: TokenError.critical) { try Self.read(header: #"{"alg":"RS256","crit":\#(value)}"#) }
    }

    @Test("a name of a key or a kind is a text")
    func names() {
        #expect(throws: TokenError.missing("kid", needed: "a text")) {
            try Self.read(header: #"{"alg":"RS256","kid":1}"#)
        }
        #expect(throws: TokenError.missing("typ", needed: "a text")) {
            try Self.read(header: #"{"alg":"RS256","typ":{}}"#)
        }
    }

    @Test("a token has three parts; an encrypted one has five", arguments: ["", ".", "a.b", "a.b.c.d", "a.b.c.d.e"])
    func parts(text: String) {
        #expect(throws: TokenError.form) { try ReceivedToken(text) }
    }

    @Test("the parts are base64url in the one way that it is written")
    func encoding() throws {
        let (header, payload) = (Self.base64(#"{"alg":"RS256"}"#), Self.base64("{}"))
        _ = try ReceivedToken("\(header).\(payload).AA")
        // "e30" is {}; "e31" differs in bits that belong to no byte.
        for wrong in ["e31", "e30=", "e3 0", "e3\n0", "e3+0", "e3/0", "e30%3D", "é30", "e"] {
            #expect(throws: TokenError.encoding(of: "payload")) { try ReceivedToken("\(header).\(wrong).AA") }
        }
        for wrong in ["AB", "AA==", "A", "A\u{0}"] {
            #expect(throws: TokenError.encoding(of: "signature")) { try ReceivedToken("\(header).\(payload).\(wrong)") }
        }
        #expect(throws: TokenError.encoding(of: "header")) { try ReceivedToken("\(header)=.\(payload).AA") }
    }

    @Test(
        "header and payload are objects",
        arguments: ["", "[]", "1", "null", "\"a\"", "{", "{}{}", "\u{FEFF}{}", "{'a':1}"])
    func objects(text: String) throws {
        do throws(TokenError) {
            _ = try Self.read(header: #"{"alg":"RS256"}"#, payload: text)
            Issue.record("\(text) is taken")
        } catch {
            guard case .json(of: "payload", _) = error else { throw error }
        }
        do throws(TokenError) {
            _ = try Self.read(header: text)
            Issue.record("\(text) is taken")
        } catch {
            guard case .json(of: "header", _) = error else { throw error }
        }
    }

    @Test("a token has at most 16 KiB")
    func length() throws {
        let header = Self.base64(#"{"alg":"RS256"}"#)
        let most = ReceivedToken.longest - header.utf8.count - 2 - 2
        // Every four characters are three bytes.
        let filler = String(repeating: "x", count: most / 4 * 3 - 8)
        let fits = "\(header).\(Self.base64(#"{"a":"\#(filler)"}"#)).AA"
        _ = try ReceivedToken(fits)
        let longer = fits + String(repeating: "A", count: ReceivedToken.longest + 1 - fits.utf8.count)
        #expect(throws: TokenError.length(ReceivedToken.longest + 1)) { try ReceivedToken(longer) }
        #expect(throws: TokenError.length(1 << 20)) { try ReceivedToken(String(repeating: "A", count: 1 << 20)) }
    }

    @Test("nested too deep it is refused")
    func depth() throws {
        func payload(_ depth: Int) -> String {
            #"{"a":"# + String(repeating: "[", count: depth - 1) + String(repeating: "]", count: depth - 1) + "}"
        }
        _ = try Self.read(header: #"{"alg":"RS256"}"#, payload: payload(8))
        for depth in [9, 3000] {
            #expect(throws: TokenError.json(of: "payload", problem: "it is more than 8 levels deep")) {
                try Self.read(header: #"{"alg":"RS256"}"#, payload: payload(depth))
            }
        }
    }
}
