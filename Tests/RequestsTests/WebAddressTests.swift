import FieldRules
import Testing

@Suite("P25 Addresses of pages and pictures")
struct WebAddressTests {
    @Test(
        "are URLs with a host",
        arguments: [
            "https://flickr.com/photos/a/1", "http://h", "HTTPS://H.EXAMPLE/?q=1#f", "http://h:8080/",
            "http://[2001:db8::1]:443/a",
            "https://a_b.example/%C3%A5?x=y:z@w", "http://127.0.0.1:7700", "https://xn--land-poa.ax/",
        ])
    func pages(text: String) { #expect(FieldForm.webURL.takes(text)) }

    @Test(
        "are nothing else",
        arguments: [
            "flickr.com/a", "//h/a", "ftp://h/a", "javascript:alert(1)", "https:h/a", "https:/h/a", "https://",
            "https:///a",
            "https://:80/", "https://?q", "https://h:0/", "https://h:65536/", "https://h:+80/", "https://h:/",
            "https://h:80x/",
            "https://user@h/", "https://user:pass@h/", "https://h..x/", "https://.h/", "https://[::1/", "https://[x]/",
            "https://[::1]x/", "https://h/a b", "https://h/\u{e5}", "https://h/\n", "https://h/<a>", "https://h\\a",
            " https://h",
            "https://h%41/", "https://\(String(repeating: "h", count: 254))/",
        ])
    func refused(text: String) {
        #expect(!FieldForm.webURL.takes(text))
        #expect(!FieldForm.httpsURL.takes(text))
    }

    @Test("of originals are https only")
    func originals() {
        #expect(FieldForm.httpsURL.takes("https://h/a.jpg"))
        #expect(!FieldForm.httpsURL.takes("http://h/a.jpg"))
    }

    @Test("have at most 2,048 bytes")
    func limit() {
        let longest = "https://h/" + String(repeating: "a", count: 2_038)
        #expect(FieldForm.webURL.takes(longest))
        #expect(!FieldForm.webURL.takes(longest + "a"))
    }
}
