import Compression
import FoundationEssentials
import HTTP
import TestSupport
import Testing

@testable import Gateway

@Suite("E1 E2 large requests that nobody let in", .timeLimit(.minutes(3)))
struct LargeRequestTests {
    private static let explore = "/waymark.gateway.v1.ExploreService/Explore"
    private static let shared = "/waymark.gateway.v1.SharedService/GetSharedPin"
    private static let nearby = "/waymark.places.v1.PlacesService/Nearby"
    /// Kilobytes as gzip.
    private static let list =
        Array("{\"networks\":[\"\"".utf8) + [UInt8](repeatElement(Array(",\"\"".utf8), count: 2_000_000).joined())
        + Array("]}".utf8)
    private static let gzip = ("Content-Encoding", "gzip")

    @Test("a list of two million short elements is refused, by POST and by GET, packed or not")
    func millionsOfElements() async throws {
        let packed = Gzip.pack(Self.list, level: 9)
        #expect(packed.count < 10_000)
        let query = Data(packed).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
        try await RunningGateway.with { gateway in
            for (fields, body) in [([GatewayHTTP.json], Self.list), ([GatewayHTTP.json, Self.gzip], packed)] {
                let reply = try await gateway.http.ask("POST", Self.nearby, fields, body: body)
                #expect(reply.status == 429 && reply.failure?.code == "resource_exhausted", "\(reply.text)")
            }
            let asked = try await gateway.http.ask(
                "GET", "\(Self.nearby)?connect=v1&encoding=json&base64=1&compression=gzip&message=\(query)")
            #expect(asked.status == 429 && asked.failure?.code == "resource_exhausted", "\(asked.text)")
            #expect(try await gateway.http.call(GatewayHTTP.echo, "{}").status == 200)
        }
    }

    @Test(
        "a key, a value and a number of megabytes are told back in a kilobyte",
        arguments: [
            ("{\"", "k", "\":1}"), ("{\"limit\":\"", "x", "\"}"), ("{\"limit\":1", "0", "}"),
            ("{\"", "e\u{301}", "\":1}"),
            ("{\"centre\":{\"", "\u{301}", "\":1}}"), ("{\"radiusM\":\"", "\u{301}", "\"}"),
        ])
    func longWords(before: String, word: String, after: String) async throws {
        let text = before + String(repeating: word, count: (5 << 20) / word.utf8.count) + after
        try await RunningGateway.with { gateway in
            let reply = try await gateway.http.call(Self.nearby, text)
            #expect(reply.status == 400 && reply.failure?.code == "invalid_argument", "\(reply.text.prefix(2000))")
            #expect(reply.body.count < 4096)
        }
    }

    @Test("a text that is one letter with a million marks is told back as any other that is not allowed")
    func letterOfMarks() async throws {
        let letter = "a" + String(repeating: "\u{315}", count: 500_000) + String(repeating: "\u{334}", count: 500_000)
        try await RunningGateway.with { gateway in
            for (path, text) in [
                (Self.explore, "{\"branches\":[\"\(letter)\"]}"), (Self.explore, "{\"liveNetworks\":[\"\(letter)\"]}"),
                (Self.explore, "{\"\(letter)\":1}"),
            ] {
                let reply = try await gateway.http.call(path, text)
                #expect(reply.status == 400 && reply.failure?.code == "invalid_argument", "\(reply.text.prefix(2000))")
            }
        }
    }

    @Test("nor do headers make letters of more than thirty marks")
    func headerOfMarks() async throws {
        let letter = "a" + String(repeating: "\u{315}", count: 31)
        try await RunningGateway.with { gateway in
            let reply = try await gateway.http.ask("POST", Self.nearby, [("Content-Type", letter)], body: [])
            #expect(reply.status == 415 && reply.text.unicodeScalars.contains("\u{34F}"), "\(reply.text)")
        }
    }

    @Test("what a stranger packs is no larger, unpacked, than what it may send")
    func strangersUnpacked() async throws {
        try await RunningGateway.with(isOpen: false) { gateway in
            for (count, status) in [(1, 400), (70_000, 429)] {
                let text = Array("{".utf8) + [UInt8](repeating: 0x20, count: count) + Array("}".utf8)
                let reply = try await gateway.http.ask(
                    "POST", Self.shared, [GatewayHTTP.json, Self.gzip], body: Gzip.pack(text))
                #expect(reply.status == status, "\(reply.text)")
            }
        }
    }

    @Test("who has no token is refused before a body is unpacked or read")
    func withoutToken() async throws {
        try await RunningGateway.with(isOpen: false) { gateway in
            let bodies: [([UInt8], [(String, String)])] = [
                (Array("no gzip".utf8), [Self.gzip]), (Array("{\"nothing\":1}".utf8), []),
                (Gzip.pack([UInt8](repeating: 0x20, count: 7 << 20)), [Self.gzip]),
            ]
            for (body, fields) in bodies {
                let reply = try await gateway.http.ask("POST", Self.nearby, [GatewayHTTP.json] + fields, body: body)
                #expect(reply.status == 401 && reply.failure?.code == "unauthenticated", "\(reply.text)")
            }
            let asked = try await gateway.http.ask("GET", "\(Self.nearby)?encoding=json&base64=1&message=*")
            #expect(asked.status == 401)
            let long = [UInt8](repeating: 0x20, count: HTTPLimits().strangersBodyBytes + 1)
            let reply = try await gateway.http.ask("POST", Self.nearby, [GatewayHTTP.json], body: long)
            #expect(reply.status == 413 && reply.text.contains("65536"), "\(reply.text)")
        }
    }
}
