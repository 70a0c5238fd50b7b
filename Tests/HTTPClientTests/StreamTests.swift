import HTTP
import HTTPClient
import TestSupport
import Testing

@Suite("Answers that are read as they come, and bodies that are put", .timeLimit(.minutes(3)))
struct StreamTests {
    private static let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }

    @Test("the bytes come in order, whatever the reader's pace, and end")
    func whole() async throws {
        try await HTTPFixture.with({ _ in HTTPResponse(200, body: .bytes(Self.bytes)) }) { _, address in
            try await withClient { client in
                let stream = try await client.open(HTTPClientRequest(url: address))
                #expect(stream.status == 200)
                #expect(stream.headers["content-length"] == "3000000")
                var (bytes, parts): ([UInt8], Int) = ([], 0)
                while true {
                    let part = try await stream.next()
                    if part.isEmpty { break }
                    // The window, and one piece of libcurl's.
                    #expect(part.count <= 512 << 10)
                    bytes += part
                    parts += 1
                }
                #expect(bytes == Self.bytes)
                #expect(parts > 3)
                let behind = try await stream.next()
                #expect(behind.isEmpty)
            }
        }
    }

    @Test("a connection that breaks off in the middle is an error, not an end")
    func brokenOff() async throws {
        let listener = try RawListener()
        try await withClient { client in
            async let served: Void = {
                try await listener.accept().answer("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")
            }()
            let stream = try await client.open(HTTPClientRequest(url: "http://127.0.0.1:\(listener.port)/"))
            try await served
            let error = await #expect(throws: HTTPClientError.self) { _ = try await stream.rest(limit: 100) }
            #expect(error?.kind == "brokenOff")
        }
    }

    @Test("one that a reader leaves ends, and the client goes on")
    func left() async throws {
        try await HTTPFixture.with({ _ in HTTPResponse(200, body: .bytes(Self.bytes)) }) { _, address in
            try await withClient { client in
                for _ in 0..<3 {
                    let stream = try await client.open(HTTPClientRequest(url: address))
                    let part = try await stream.next()
                    #expect(!part.isEmpty)
                }
                let error = await #expect(throws: HTTPClientError.self) {
                    try await client.open(HTTPClientRequest(url: address)).rest(limit: 100)
                }
                #expect(error == .tooLong(what: "the answer", limit: 100))
                let whole = try await client.send(HTTPClientRequest(url: address))
                #expect(whole.body == Self.bytes)
            }
        }
    }

    @Test("a body is put whole, and nothing as well", arguments: [0, 1, 3_000_000])
    func put(count: Int) async throws {
        try await HTTPFixture.with({ _ in HTTPResponse(200, body: .bytes([])) }) { fixture, address in
            try await withClient { client in
                var request = HTTPClientRequest(url: "\(address)/key", body: Array(Self.bytes.prefix(count)))
                request.method = "PUT"
                let response = try await client.send(request)
                #expect(response.status == 200)
                #expect(fixture.requests.first?.method == "PUT")
                #expect(fixture.requests.first?.body.count == count)
            }
        }
    }

    @Test("a request can be signed, and its text does not hold the secret")
    func signed() async throws {
        try await HTTPFixture.with({ _ in HTTPResponse(204, body: .bytes([])) }) { fixture, address in
            try await withClient { client in
                var request = HTTPClientRequest(url: "\(address)/key")
                request.method = "DELETE"
                request.signing = RequestSigning(keyID: "AKEY", secret: "hush", region: "here", service: "s3")
                let response = try await client.send(request)
                #expect(response.status == 204)
                let sent = try #require(fixture.requests.first)
                #expect(sent.method == "DELETE")
                #expect(sent.headers["authorization"]?.hasPrefix("AWS4-HMAC-SHA256 Credential=AKEY/") == true)
                #expect(!"\(request)".contains("hush"))
                #expect(!"\(sent)".contains("hush"))
            }
        }
    }
}
