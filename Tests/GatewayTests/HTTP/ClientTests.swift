import Budgets
import EventLoops
import HTTP
import TestSupport
import Testing

@testable import Gateway

@Suite("P37 how much one client may ask", .timeLimit(.minutes(3)))
struct ClientTests {
    private static let start = MonotonicTime.now
    private static let one = ClientKey("10.0.0.1")

    @Test("twice as much at once as in a second; then it is told when to come again")
    func bucket() {
        let rate = RateLimit(perSecond: 10)
        for _ in 0..<20 { #expect(rate.refusal(Self.one, at: Self.start) == nil) }
        let wait = rate.refusal(Self.one, at: Self.start)
        #expect(wait.map { $0 > .zero && $0 <= .milliseconds(102) } == true, "\(String(describing: wait))")
        #expect(rate.refusal(ClientKey("10.0.0.2"), at: Self.start) == nil, "another client is not touched")
        let later = Self.start + (wait ?? .zero)
        #expect(rate.refusal(Self.one, at: later) == nil)
        #expect(rate.refusal(Self.one, at: later) != nil)
        let muchLater = Self.start + .seconds(3600)
        for _ in 0..<20 { #expect(rate.refusal(Self.one, at: muchLater) == nil) }
        #expect(rate.refusal(Self.one, at: muchLater) != nil, "an hour of silence saves no more than two seconds")
        #expect(rate.refusal(Self.one, at: Self.start) != nil, "a clock that seems to go back gives nothing")
        let any = RateLimit(perSecond: 0)
        for _ in 0..<1000 { #expect(any.refusal(Self.one, at: Self.start) == nil) }
    }

    @Test("all addresses of a network that one household has are one client; an IPv4 one is one however it is written")
    func households() {
        let rate = RateLimit(perSecond: 1)
        for number in 0..<2 { #expect(rate.refusal(ClientKey("2001:db8:1:2::\(number)"), at: Self.start) == nil) }
        #expect(rate.refusal(ClientKey("2001:db8:1:2:ffff:ffff:ffff:ffff"), at: Self.start) != nil)
        #expect(rate.refusal(ClientKey("2001:db8:1:3::1"), at: Self.start) == nil)
        for text in ["10.0.0.1", "::ffff:10.0.0.1"] { #expect(rate.refusal(ClientKey(text), at: Self.start) == nil) }
        #expect(rate.refusal(ClientKey("10.0.0.1"), at: Self.start) != nil)
        #expect(rate.refusal(ClientKey("::ffff:10.0.0.2"), at: Self.start) == nil)
    }

    @Test("any number of clients is remembered in bounded room, and gives none a new allowance that goes on asking")
    func manyClients() {
        let rate = RateLimit(perSecond: 1)
        for _ in 0..<2 { #expect(rate.refusal(Self.one, at: Self.start) == nil) }
        for number in 0..<50_000 {
            if number % 1000 == 0 { #expect(rate.refusal(Self.one, at: Self.start) != nil) }
            #expect(rate.refusal(ClientKey("10.1.\(number >> 8).\(number & 255)"), at: Self.start) == nil)
        }
    }

    @Test("is answered with 429 and when to come again, on everything there is")
    func refused() async throws {
        try await RunningGateway.with(settings: ["--rate", "1"]) { gateway in
            for _ in 0..<2 { _ = try await gateway.http.ask("GET", "/nothing") }
            var refused = 0
            // A busy machine may take a second for a request; then more are allowed.
            while refused < 2 {
                let reply = try await gateway.http.call(GatewayHTTP.echo, "{}")
                if reply.status == 200 { continue }
                refused += 1
                #expect(reply.status == 429 && reply.failure?.code == "resource_exhausted")
                #expect(["1", "2"].contains(reply["retry-after"]) && reply.failure?.debug?.requestId != nil)
            }
        }
    }

    @Test("counts by who asked the proxy, when the proxy is trusted, and not by what anybody else claims")
    func proxies() {
        let peer = Self.peer
        let nobody = ClientAddress(trusting: [])
        let proxies = ClientAddress(
            trusting: ["127.0.0.0/8", "10.0.0.0/8", "fd00::/8"].compactMap { AddressRange($0) })
        func of(_ clients: ClientAddress, _ values: String...) -> String {
            var headers = HTTPFields()
            for value in values { headers.add("X-Forwarded-For", value) }
            return clients.of(HTTPRequest(method: "GET", path: "/", headers: headers, peer: peer?.host ?? ""))
        }
        #expect(of(nobody, "1.2.3.4") == "127.0.0.1")
        #expect(of(proxies) == "127.0.0.1")
        #expect(of(proxies, "1.2.3.4") == "1.2.3.4")
        #expect(of(proxies, "9.9.9.9, 1.2.3.4") == "1.2.3.4", "what the client itself wrote before is not believed")
        #expect(of(proxies, "9.9.9.9", "1.2.3.4, 10.1.1.1") == "1.2.3.4")
        #expect(of(proxies, "2001:db8::1, fd00::7") == "2001:db8::1")
        #expect(of(proxies, "10.0.0.1, 10.0.0.2") == "10.0.0.1")
        for odd in ["unknown", "1.2.3.4:80", "[2001:db8::1]:80", "", ",", "1.2.3", "x, y"] {
            #expect(of(proxies, odd) == "127.0.0.1", "\(odd)")
        }
        #expect(of(proxies, "1.2.3.4, nonsense, 10.0.0.1") == "10.0.0.1")
    }

    /// An address of this machine.
    private static var peer: SocketAddress? { try? Endpoint(host: "127.0.0.1", port: 80).resolve().first }

    @Test("a client that forges the header does not get around its limit")
    func spoofing() async throws {
        try await RunningGateway.with(settings: ["--rate", "1"]) { gateway in
            var (refused, number) = (0, 0)
            while refused < 4 {
                number += 1
                let fields = [("X-Forwarded-For", "1.2.3.\(number % 250)")]
                if try await gateway.http.ask("GET", "/nothing", fields).status == 429 { refused += 1 }
            }
        }
        try await RunningGateway.with(settings: ["--rate", "1", "--trusted-proxies", "127.0.0.1"]) { gateway throws in
            for number in 0..<10 {
                let fields = [("X-Forwarded-For", "9.9.9.9, 1.2.3.\(number)")]
                #expect(try await gateway.http.ask("GET", "/nothing", fields).status == 404)
            }
        }
    }
}

@Suite("P37 networks as they are written")
struct AddressRangeTests {
    @Test(
        "have the addresses that begin as they do",
        arguments: [
            ("10.0.0.0/8", "10.255.1.2", true), ("10.0.0.0/8", "11.0.0.0", false), ("10.1.2.3", "10.1.2.3", true),
            ("10.1.2.3", "10.1.2.4", false), ("0.0.0.0/0", "255.255.255.255", true), ("0.0.0.0/0", "::1", false),
            ("192.168.4.0/23", "192.168.5.255", true), ("192.168.4.0/23", "192.168.6.0", false),
            ("10.0.0.1/31", "10.0.0.0", true), ("10.0.0.128/25", "10.0.0.127", false), ("1.2.3.4/32", "1.2.3.4", true),
            ("::1", "::1", true), ("::1", "0:0:0:0:0:0:0:1", true), ("fd00::/8", "fdff::1", true),
            ("2001:db8::/33", "2001:db8:7fff::", true), ("2001:db8::/33", "2001:db8:8000::", false),
            ("::/0", "2001:db8::", true), ("::/0", "1.2.3.4", false), ("10.0.0.0/8", "::ffff:10.1.1.1", true),
            ("::ffff:10.0.0.0", "10.0.0.0", true), ("::1/128", "::2", false), ("10.0.0.0/8", "nonsense", false),
            ("10.0.0.0/8", "", false),
        ])
    func contains(range: String, address: String, isIn: Bool) throws {
        #expect(try #require(AddressRange(range)).contains(address) == isIn)
    }

    @Test("a mapped IPv4 network counts its bits as IPv6 does")
    func mapped() throws {
        let range = try #require(AddressRange("::ffff:10.0.0.0/104"))
        #expect(range.contains("10.9.9.9") && range.contains("::ffff:10.9.9.9") && !range.contains("11.0.0.0"))
        #expect(AddressRange("::ffff:10.0.0.0/8") == nil, "a part of it only would be mapped")
    }

    @Test(
        "anything else is none",
        arguments: [
            "", "/", "/8", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/+8", "10.0.0.0/8/8", "10.0.0.0/08x",
            "10.0.0/8", "::/129", "localhost", "10.0.0.0 /8", "fe80::1%eth0", "1.2.3.4:80", "[::1]",
        ])
    func none(text: String) { #expect(AddressRange(text) == nil) }
}
