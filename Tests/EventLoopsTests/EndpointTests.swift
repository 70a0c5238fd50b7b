import EventLoops
import TestSupport
import Testing

@Suite("Endpoint", .timeLimit(.minutes(3)))
struct EndpointTests {
    @Test(
        "reads a name or an address with a port",
        arguments: [
            ("gateway:7700", "gateway", 7700), ("127.0.0.1:0", "127.0.0.1", 0), ("[::1]:65535", "::1", 65535),
            ("[fe80::1%eth0]:1", "fe80::1%eth0", 1), ("a.b-c.example:80", "a.b-c.example", 80),
            ("10.0.0.1,10.0.0.2:80", "10.0.0.1,10.0.0.2", 80),
        ])
    func reads(text: String, host: String, port: UInt16) throws {
        let endpoint = try #require(Endpoint(text))
        #expect(endpoint.host == host)
        #expect(endpoint.port == port)
        #expect(endpoint.description == text)
    }

    @Test("takes the default port when none is given", arguments: ["gateway", "127.0.0.1", "[::1]"])
    func defaultPort(text: String) {
        #expect(Endpoint(text) == nil)
        #expect(Endpoint(text, defaultPort: 7700)?.port == 7700)
        #expect(Endpoint("\(text):1", defaultPort: 7700)?.port == 1)
    }

    @Test(
        "refuses anything else",
        arguments: [
            "", ":", ":80", "host:", "host:port", "host:-1", "host:65536", "host:99999999999999999999", "host:1.5",
            "host: 80", "::1", "::1:80", "[]:80", "[::1]80", "a:b:80", "http://host:80", "[::1]:", "[::1]:x",
            "host:+80", "[host:80", "ho]st:80", ",a:80", "a,:80", "a,,b:80", ",:80",
        ])
    func refuses(text: String) {
        #expect(Endpoint(text) == nil)
    }

    @Test("refuses a port that is no port also when there is a default", arguments: ["host:", "host:x", "[::1]:"])
    func refusesWithDefault(text: String) {
        #expect(Endpoint(text, defaultPort: 80) == nil)
    }

    @Test("finds the addresses of a numeric host without asking anybody")
    func resolvesNumbers() async throws {
        let (four, six) = try await BlockingCalls.run {
            (try Endpoint(host: "127.0.0.1", port: 80).resolve(), try Endpoint(host: "::1", port: 81).resolve())
        }
        #expect(four.map(\.description) == ["127.0.0.1:80"])
        #expect(four.first?.port == 80)
        #expect(six.map(\.description) == ["[::1]:81"])
    }

    @Test("finds the addresses of several hosts, each once, and of those that have any")
    func resolvesSeveral() async throws {
        let several = Endpoint(host: "127.0.0.3,no-such-host.invalid,127.0.0.2,127.0.0.3", port: 80)
        let found = try await BlockingCalls.run { try several.resolve() }
        #expect(found.map(\.description) == ["127.0.0.3:80", "127.0.0.2:80"])
        #expect(!several.isLoopback)
        #expect(Endpoint(host: "127.0.0.3,localhost", port: 80).isLoopback)
    }

    @Test("says which name it could not find")
    func unknownName() async throws {
        let error = await #expect(throws: SystemError.self) {
            try await BlockingCalls.run { try Endpoint(host: "no-such-host.invalid", port: 1).resolve() }
        }
        #expect(error?.subject == "no-such-host.invalid")
    }

    @Test("is loopback for the hosts that only this machine reaches")
    func loopback() {
        for host in ["localhost", "127.0.0.1", "127.1.2.3", "::1"] {
            #expect(Endpoint(host: host, port: 1).isLoopback)
        }
    }

    @Test(
        "is not loopback for others, whatever their names begin with",
        arguments: [
            "0.0.0.0", "::", "10.0.0.1", "gateway", "localhost.example.com", "1127.0.0.1", "", "127.1",
            "127.example.com", "127.0.0.1.nip.io",
        ])
    func elsewhere(host: String) {
        #expect(!Endpoint.isLoopback(host))
    }
}
