import Compression
import TestSupport
import TestTools
import Testing

@testable import Gateway

@Suite("P37 whatever comes in by HTTP", .timeLimit(.minutes(3)))
struct HTTPDoorFuzzTests {
    private static let paths = [
        "/", "/events", "/session", "/settings.json", "/openapi.json", GatewayHTTP.echo, GatewayHTTP.echoStream,
        "/waymark.places.v1.PlacesService/Nearby", "/waymark.pins.v1.PinService/WatchPin", "/a.b/c", "/%", "/..",
        "/events?watch=waymark.pins.v1.PinService/WatchPin:", "*",
    ]
    private static let fields = [
        ("Content-Type", "application/json"), ("Content-Type", "application/proto"), ("Content-Encoding", "gzip"),
        ("Content-Type", "application/connect+json"), ("Content-Type", "application/connect+proto"),
        ("Connect-Content-Encoding", "gzip"), ("Accept-Encoding", "gzip"), ("Connect-Timeout-Ms", "1"),
        ("Connect-Timeout-Ms", "x"), ("Origin", "http://localhost"), ("Origin", "null"), ("Last-Event-ID", "1.2"),
        ("Authorization", "Bearer x"), ("Cookie", "waymark_session=;;=;"), ("If-None-Match", "\"\",,W/"),
        ("X-Forwarded-For", ",,"), ("Connect-Protocol-Version", "2"), ("Range", "bytes=-"), ("Expect", "x"),
    ]
    private static let pieces = [
        "{", "}", "[", "]", ":", ",", "\"", "\\u", "null", "true", "1e9", "-", "\"centre\"", "\"latitude\"",
        "\"payload\"",
        "\"AQ==\"", "\"count\"", "3", "\"\\ud800\"", " ", "\u{0}", "é",
    ]

    private static func body(_ random: inout SeededGenerator) -> [UInt8] {
        var bytes: [UInt8] = []
        for _ in 0..<Int.random(in: 0...30, using: &random) {
            if random.chance(0.3) { bytes.append(UInt8.random(in: 0...255, using: &random)) }
            bytes += Array(random.one(of: pieces).utf8)
        }
        if random.chance(0.2) { bytes = Gzip.pack(bytes) }
        if random.chance(0.2) {
            bytes = [UInt8.random(in: 0...3, using: &random), 0, 0, 0, UInt8(truncatingIfNeeded: bytes.count)] + bytes
        }
        return bytes
    }

    @Test("is answered or closed, with nothing of our inside in it, and the next client is served", arguments: 0..<6)
    func random(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        try await RunningGateway.with(settings: ["--rate", "0"]) { gateway in
            for _ in 0..<150 {
                let socket = try await gateway.http.connect()
                let fields = (0..<Int.random(in: 0...4, using: &random)).map { _ in random.one(of: Self.fields) }
                let method = random.one(of: ["GET", "POST", "PUT", "HEAD", "OPTIONS", "DELETE", "x"])
                let body = Self.body(&random)
                try await socket.send(method, random.one(of: Self.paths), fields, body: body)
                let head = try await socket.head()
                #expect((200..<600).contains(head.status) && head.status != 500, "\(method) \(fields) \(body)")
            }
            #expect(try await gateway.http.call(GatewayHTTP.echo, "{}").status == 200)
        }
    }
}
