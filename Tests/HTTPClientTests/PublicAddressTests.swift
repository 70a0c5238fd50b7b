import CCurl
import Glibc
import HTTP
import HTTPClient
import TestSupport
import Testing

@Suite("Requests that go to the public internet alone", .timeLimit(.minutes(3)))
struct PublicAddressTests {
    @Test("reach no server of this machine or of the own network, whatever its name is")
    func refused() async throws {
        try await withClient { client in
            try await HTTPFixture.with { _ in
                HTTPResponse(200)
            } _: { fixture, url in
                for address in [url, url.replacing("127.0.0.1", with: "localhost")] {
                    var request = HTTPClientRequest(url: address)
                    request.isPublicOnly = true
                    guard case .cannotConnect? = await failure(client, request) else {
                        Issue.record("\(address) was reached")
                        continue
                    }
                }
                #expect(fixture.requests.isEmpty)
                let response = try await client.send(HTTPClientRequest(url: url))
                #expect(response.status == 200)
            }
        }
    }

    @Test("send nothing on a connection that another request has opened to the own network")
    func reused() async throws {
        try await withClient { client in
            try await HTTPFixture.with { _ in
                HTTPResponse(200)
            } _: { fixture, url in
                _ = try await client.send(HTTPClientRequest(url: url))
                var request = HTTPClientRequest(url: url)
                request.isPublicOnly = true
                guard case .cannotConnect? = await failure(client, request) else {
                    Issue.record("the open connection was used")
                    return
                }
                #expect(fixture.requests.count == 1)
            }
        }
    }

    @Test(
        "know the addresses that are not public",
        arguments: [
            "0.0.0.0", "0.1.2.3", "10.0.0.1", "100.64.0.1", "100.127.255.255", "127.0.0.1", "127.255.0.1",
            "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.8", "192.168.1.1", "198.18.0.1",
            "198.19.255.255", "192.0.2.1", "192.88.99.1", "198.51.100.7", "203.0.113.9", "224.0.0.1", "239.1.1.1",
            "240.0.0.1", "255.255.255.255", "::", "::1", "::7f00:1",
            "::ffff:127.0.0.1", "::ffff:10.1.1.1", "64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe", "2002:7f00:1::",
            "2002:c0a8:101::1", "fc00::1", "fdff::1", "fe80::1", "fec0::1", "febf::1", "ff02::1",
            "64:ff9b:1::7f00:1", "64:ff9b:1:fffe:1:2:808:808", "2001::1", "2001:0:808:808::1", "2001:2::1",
            "2001:10::1",
            "2001:1ff::1", "2001:db8::1", "3fff::1", "3fff:fff::1", "5f00::1", "100::1", "100:0:0:1::1", "1::1",
            "4000::1",
            "e000::1",
        ])
    func others(text: String) { #expect(isPrivate(text) == true) }

    @Test(
        "and those that are, next to them too",
        arguments: [
            "1.1.1.1", "9.255.255.255", "11.0.0.1", "100.63.255.255", "100.128.0.1", "126.0.0.1", "128.0.0.1",
            "169.253.0.1", "169.255.0.1", "172.15.255.255", "172.32.0.1", "192.0.1.1", "192.167.0.1", "192.169.0.1",
            "198.17.0.1", "198.20.0.1", "223.255.255.255", "2a00:1450::1", "2620:0:862:ed1a::1", "::ffff:8.8.8.8",
            "64:ff9b::808:808", "2002:808:808::1", "2001:200::1", "2001:4860:4860::8888", "2001:db7::1", "2001:db9::1",
            "3ffe::1", "192.0.3.1", "192.88.98.1", "192.88.100.1", "198.51.99.1", "198.51.101.1", "203.0.112.1",
            "203.0.114.1",
        ])
    func publicOnes(text: String) { #expect(isPrivate(text) == false) }

    /// Nil when it is no address.
    private func isPrivate(_ text: String) -> Bool? {
        var (four, six) = (sockaddr_in(), sockaddr_in6())
        if unsafe inet_pton(AF_INET, text, &four.sin_addr) == 1 {
            four.sin_family = sa_family_t(AF_INET)
            return unsafe withUnsafeBytes(of: &four) { unsafe waymark_is_private(address($0)) != 0 }
        }
        guard unsafe inet_pton(AF_INET6, text, &six.sin6_addr) == 1 else { return nil }
        six.sin6_family = sa_family_t(AF_INET6)
        return unsafe withUnsafeBytes(of: &six) { unsafe waymark_is_private(address($0)) != 0 }
    }

    private func address(_ bytes: UnsafeRawBufferPointer) -> UnsafePointer<sockaddr>? {
        unsafe bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self)
    }
}
