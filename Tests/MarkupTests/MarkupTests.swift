import Markup
import TestTools
import Testing

@Suite("Text in HTML, XML and JSON of pages")
struct MarkupTests {
    @Test("holds no sign that could end it, whatever the sign is joined with", arguments: Joiner.all)
    func joined(joiner: Joiner) {
        for sign in ["<", ">", "\"", "'"] {
            let escaped = Markup.escaped("a" + joiner.around(sign) + "b")
            #expect(!escaped.utf8.contains(sign.utf8.first ?? 0))
        }
        #expect(Markup.escaped(joiner.around("&")).utf8.count { $0 == UInt8(ascii: "&") } >= 1)
        #expect(Markup.escaped(joiner.around("&")).utf8.contains("&amp;".utf8))
    }

    @Test("is what it was when it is read")
    func same() {
        #expect(Markup.escaped("<a href=\"x\">R&D's</a>") == "&lt;a href=&quot;x&quot;&gt;R&amp;D&#39;s&lt;/a&gt;")
        #expect(Markup.escaped("Töölö 港 🇫🇮\n\t\u{0d4e}") == "Töölö 港 🇫🇮\n\t\u{0d4e}")
        #expect(Markup.escaped("\r\n") == "&#13;\n")
        #expect(Markup.escaped("\0a\u{1b}[2J\u{ffff}") == "\u{fffd}a\u{fffd}[2J\u{fffd}")
    }

    @Test("as JSON can't end its element", arguments: Joiner.all)
    func data(joiner: Joiner) {
        let text = PageData.text(Array("{\"a\":\"\(joiner.through("</script><!--&\u{2028}\u{2029}"))\"}".utf8))
        #expect(text.unicodeScalars.allSatisfy { !"<>&\u{2028}\u{2029}".unicodeScalars.contains($0) })
        #expect(PageData.text(Array("{\"a\":\"<\u{2028}\"}".utf8)) == #"{"a":"\u003c\u2028"}"#)
    }

    @Test("a page's policy stands before its style, which it allows and nothing else")
    func policy() {
        let head = PagePolicy(style: "p { color: red }", .text).head
        // printf 'p { color: red }' | openssl dgst -sha256 -binary | base64
        let hash = "sha256-ngewhhP73WDIbgwseeu52VAAJgKdGUsu1IUQQsAm8m4="
        #expect(
            head == """
                <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src '\(hash)'; \
                base-uri 'none'; form-action 'none'">
                <style>p { color: red }</style>
                """)
        #expect(PagePolicy(style: "", .pictures).head.utf8.contains("img-src 'self' file:;".utf8))
    }
}
