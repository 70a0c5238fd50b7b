import Daemon
import Testing

@testable import Accounts

@Suite("P30 the address that passkeys are for")
struct PasskeySiteTests {
    @Test(
        "is the public URL, as browsers write it",
        arguments: [
            ("https://map.example.org", "map.example.org", "https://map.example.org"),
            ("HTTPS://Map.Example.org/path", "map.example.org", "https://map.example.org"),
            ("https://map.example.org:8443", "map.example.org", "https://map.example.org:8443"),
            ("https://map.example.org:443", "map.example.org", "https://map.example.org"),
            ("https://xn--bcher-kva.example", "xn--bcher-kva.example", "https://xn--bcher-kva.example"),
            ("http://localhost:7780", "localhost", "http://localhost:7780"),
            ("http://localhost:80", "localhost", "http://localhost"), ("https://nas", "nas", "https://nas"),
        ])
    func on(url: String, id: String, origin: String) {
        guard case .on(id, origin) = PasskeySite(WebOrigin(url)) else {
            Issue.record("\(url) is \(PasskeySite(WebOrigin(url)))")
            return
        }
    }

    @Test(
        "is none where browsers make no passkeys",
        arguments: [
            ("http://map.example.org", "https alone"), ("http://localhost.example.org", "https alone"),
            ("https://192.0.2.1", "not for the address of a machine"),
            ("http://127.0.0.1:7780", "not for the address of a machine"),
            ("https://[2001:db8::1]", "not for the address of a machine"),
            ("https://map.example.org.", "a name of ASCII letters"),
            ("https://bücher.example", "xn--"), ("https://map_1.example", "xn--"),
        ])
    func off(url: String, words: String) {
        guard case .off(let problem) = PasskeySite(WebOrigin(url)) else {
            Issue.record("\(url) is \(PasskeySite(WebOrigin(url)))")
            return
        }
        #expect(problem.contains(words) && problem.contains("--public-url"))
    }

    @Test("is none without a public URL")
    func unknown() {
        guard case .off(let problem) = PasskeySite(nil) else {
            Issue.record("there is one")
            return
        }
        #expect(problem.contains("it has no --public-url"))
    }
}
