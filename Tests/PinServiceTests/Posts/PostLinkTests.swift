import Refusals
import TestTools
import Testing

@testable import PinService

@Suite("P33 what a post may lead to")
struct PostLinkTests {
    @Test(
        "is completed",
        arguments: [
            ("example.org", "http://example.org"),
            ("  https://Example.ORG/Me?a=B#c \n", "https://example.org/Me?a=B#c"),
            ("HTTP://example.org", "http://example.org"), ("example.org:8080/x", "http://example.org:8080/x"),
            ("localhost:80", "http://localhost:80"), ("192.0.2.1/a:b@c", "http://192.0.2.1/a:b@c"),
            ("http://[2001:db8::1]:8080/", "http://[2001:db8::1]:8080/"), ("[2001:db8::1]", "http://[2001:db8::1]"),
            ("https://münchen.example/straße", "https://münchen.example/straße"), ("例え.jp", "http://例え.jp"),
            ("https://हिन्दी.example", "https://हिन्दी.example"), ("http://e\u{301}.example", "http://e\u{301}.example"),
            ("example.org.", "http://example.org."), ("example.org?q", "http://example.org?q"),
            ("https://example.org:65535", "https://example.org:65535"),
        ])
    func allowed(given: String, url: String) throws {
        #expect(try PostLink(given).url == url)
    }

    @Test(
        "is refused, with what is allowed",
        arguments: [
            ("", "it is missing"), ("   ", "it is missing"), ("javascript:alert(1)", "only http and https"),
            ("JavaScript://example.org/%0aalert(1)", "only http and https"),
            ("data:text/html,x", "only http and https"), ("ftp://example.org", "only http and https"),
            ("mailto:ann@example.org", "only http and https"), ("http:example.org", "only http and https"),
            ("//example.org", "a link such as"), ("http://", "a link such as"), ("https:///path", "a link such as"),
            ("http://user@example.org", "without a user's name"), ("http://a:b@example.org", "without a user's name"),
            ("https://example.org@evil.example", "without a user's name"), ("a b.example", "without spaces"),
            ("http://a\u{fe0f}.example", "without spaces"),
            ("http://example.org/a b", "without spaces"), ("http://exam\u{0}ple.org", "without spaces"),
            ("http://exam\u{202e}ple.org", "without spaces"), ("http://example.org/\u{200b}", "without spaces"),
            ("http://example.org:0", "a link such as"), ("http://example.org:65536", "a link such as"),
            ("http://example.org:", "a link such as"), ("http://example.org:8x", "a link such as"),
            ("http://-a.example", "a link such as"), ("http://a..example", "a link such as"),
            ("http://.", "a link such as"), ("http://[::1", "a link such as"), ("http://[x]", "a link such as"),
            ("http://a%2e.example", "a link such as"), ("http://example.org\\@evil.example", "a link such as"),
            ("<script>", "without spaces"), ("http://example.org/\"onclick", "without spaces"),
        ])
    func refused(given: String, words: String) {
        let refusal = #expect(throws: Refusal.self) { try PostLink(given) }
        #expect(refusal?.description.hasPrefix("link: ") == true && refusal?.description.contains(words) == true)
    }

    @Test("can't hide where it leads behind a sign that is joined with another", arguments: Joiner.all)
    func joined(joiner: Joiner) {
        let signs = ["@", "/@", "?@", "#@", "\\@", ":80@", ".evil.example/"]
        for sign in signs.map(joiner.around) {
            guard let url = try? PostLink("https://accounts.example" + sign + "evil.example/").url else { continue }
            // Taken only where a browser, which goes by scalars, reads the same host.
            let rest = url.unicodeScalars.dropFirst("https://".count)
            let authority = rest.prefix { !"/?#\\".unicodeScalars.contains($0) }
            #expect(!authority.contains("@"), "\(url)")
        }
        #expect(throws: Refusal.self) { try PostLink("https://a.example\(joiner.around("@"))evil.example/") }
    }

    @Test("of more than 2,000 characters is refused, and none of 2,000 makes any trouble")
    func long() throws {
        _ = try PostLink("http://example.org/" + String(repeating: "a", count: 1_981))
        #expect(throws: Refusal.self) { try PostLink(String(repeating: "a", count: 2_001)) }
        // A label of a name has 63 bytes at most.
        #expect(throws: Refusal.self) { try PostLink(String(repeating: "a", count: 64) + ".example") }
        for text in [":", "/", "[", "]", "@", "é", "a.", "a:"] {
            _ = try? PostLink(String(String(repeating: text, count: 2_000).prefix(2_000)))
        }
    }
}
