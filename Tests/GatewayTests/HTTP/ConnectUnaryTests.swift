import Compression
import Contracts
import FoundationEssentials
import RPC
import TestSupport
import Testing
import Wire

@testable import Gateway

@Suite("P37 unary calls after the Connect protocol", .timeLimit(.minutes(3)))
struct ConnectUnaryTests {
    private static let gzip = ("Content-Encoding", "gzip")
    private static let long = [UInt8](repeating: 7, count: 10_000)

    private static func json(_ payload: [UInt8]) -> String { #"{"payload":"\#(Data(payload).base64EncodedString())"}"# }

    @Test("take JSON and give JSON, with what has its usual value left out")
    func json() async throws {
        try await RunningGateway.with { gateway in
            let reply = try await gateway.http.call(GatewayHTTP.echo, Self.json([1, 2, 3]))
            #expect(reply.status == 200 && reply.text == #"{"payload":"AQID"}"#)
            #expect(reply["content-type"] == "application/json")
            for body in ["{}", "", " {} "] {
                let reply = try await gateway.http.call(GatewayHTTP.echo, body)
                #expect(reply.status == 200 && reply.text == "{}", "\(body)")
            }
            let nearby = try await gateway.http.call("/waymark.places.v1.PlacesService/Nearby", "{}")
            #expect(nearby.text.contains(#""name":"Café 1""#))
            #expect(gateway.behind.contexts.count == 1)
        }
    }

    @Test("take protobuf and give protobuf")
    func proto() async throws {
        try await RunningGateway.with { gateway in
            let request = EchoRequest(payload: [1, 2, 3]).packedBytes()
            for type in ["application/proto", "Application/Proto; charset=utf-8"] {
                let reply = try await gateway.http.ask(
                    "POST", GatewayHTTP.echo, [("Content-Type", type)], body: request)
                #expect(try EchoResponse(packed: reply.body).payload == [1, 2, 3])
                #expect(reply["content-type"] == "application/proto")
            }
            let damaged = try await gateway.http.ask(
                "POST", GatewayHTTP.echo, [("Content-Type", "application/proto")], body: [0x0a, 0x50])
            #expect(damaged.status == 400 && damaged.failure?.code == "invalid_argument")
        }
    }

    @Test("take and give gzip, when it is worth it and wanted")
    func compressed() async throws {
        try await RunningGateway.with { gateway in
            let packed = Gzip.pack(Array(Self.json(Self.long).utf8))
            let fields = [GatewayHTTP.json, Self.gzip, ("Accept-Encoding", "br, gzip")]
            let reply = try await gateway.http.ask("POST", GatewayHTTP.echo, fields, body: packed)
            #expect(reply["content-encoding"] == "gzip" && reply["vary"]?.contains("Accept-Encoding") == true)
            #expect(Gzip.unpack(reply.body, limit: 1 << 20) == .bytes(Array(Self.json(Self.long).utf8)))
            for accepted in ["identity", "gzip;q=0", "br"] {
                let plain = try await gateway.http.call(
                    GatewayHTTP.echo, Self.json(Self.long), [("Accept-Encoding", accepted)])
                #expect(plain["content-encoding"] == nil && plain.text == Self.json(Self.long))
            }
            let small = try await gateway.http.call(GatewayHTTP.echo, "{}", [("Accept-Encoding", "gzip")])
            #expect(small["content-encoding"] == nil)
            let nothing = try await gateway.http.ask("POST", GatewayHTTP.echo, [GatewayHTTP.json, Self.gzip])
            #expect(nothing.status == 200, "nothing needs no packing")
        }
    }

    @Test("refuse gzip that is none, is cut short, goes on behind its end or becomes too much, and other codings")
    func badCompression() async throws {
        try await RunningGateway.with { gateway in
            let packed = Gzip.pack(Array(Self.json(Self.long).utf8))
            let bomb = Gzip.pack([UInt8](repeating: 0x20, count: 50 << 20))
            let cases: [([UInt8], String, Int)] = [
                ([1, 2, 3], "gzip", 400), (Array(packed.dropLast(3)), "gzip", 400), (packed + [0], "gzip", 400),
                (bomb, "gzip", 429), (packed, "br", 501), (packed, "gzip, gzip", 501),
            ]
            for (body, coding, status) in cases {
                let fields = [GatewayHTTP.json, ("Content-Encoding", coding)]
                let reply = try await gateway.http.ask("POST", GatewayHTTP.echo, fields, body: body)
                #expect(reply.status == status && reply.failure != nil, "\(coding), \(body.count) bytes: \(reply.text)")
            }
        }
    }

    @Test("that change nothing can be asked by GET, in every spelling of the message, and by HEAD")
    func get() async throws {
        try await RunningGateway.with { gateway in
            let message = Data(Self.json([250, 251, 252]).utf8)
            let safe = message.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
            let packed = Data(Gzip.pack(Array(message))).base64EncodedString()
                .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
            let proto = Data(EchoRequest(payload: [250, 251, 252]).packedBytes()).base64EncodedString()
            let queries = [
                "connect=v1&encoding=json&message=%7B%22payload%22%3A%22%2Bvv8%22%7D",
                "connect=v1&encoding=json&base64=1&message=\(safe.replacing("=", with: "%3D"))",
                "connect=v1&encoding=json&base64=1&message=\(safe.replacing("=", with: ""))",
                "connect=v1&encoding=json&base64=1&compression=gzip&message=\(packed)",
                "message=%7B%22payload%22%3A%22%2Bvv8%22%7D",
            ]
            for query in queries {
                let reply = try await gateway.http.ask("GET", "\(GatewayHTTP.echo)?\(query)")
                #expect(reply.status == 200 && reply.text == Self.json([250, 251, 252]), "\(query): \(reply.text)")
            }
            let target = "\(GatewayHTTP.echo)?encoding=proto&base64=1&message=\(proto.replacing("+", with: "%2B"))"
            #expect(
                try await gateway.http.ask("GET", target).body == EchoResponse(payload: [250, 251, 252]).packedBytes())
            let head = try await gateway.http.ask("HEAD", target)
            #expect(head.status == 200 && head["content-length"] == "5")
        }
    }

    @Test(
        "by GET are refused when an argument is wrong",
        arguments: [
            "connect=v2&encoding=json&message=%7B%7D", "connect=1&message=%7B%7D", "encoding=xml&message=%7B%7D",
            "base64=1&message=%21%21", "encoding=json&message=nonsense", "message=%7B%7D&compression=zstd",
        ])
    func badGet(query: String) async throws {
        try await RunningGateway.with { gateway in
            let reply = try await gateway.http.ask("GET", "\(GatewayHTTP.echo)?\(query)")
            #expect([400, 501].contains(reply.status) && reply.failure?.debug?.requestId != nil, "\(reply.text)")
        }
    }

    @Test("refuse other methods of HTTP, and say which would do")
    func methods() async throws {
        try await RunningGateway.with { gateway in
            for (method, path, allowed) in [
                ("PUT", GatewayHTTP.echo, "GET, HEAD, POST"), ("DELETE", GatewayHTTP.echo, "GET, HEAD, POST"),
                ("GET", "/waymark.pins.v1.PinService/CreatePin", "POST"),
                ("HEAD", "/waymark.pins.v1.PinService/CreatePin", "POST"), ("GET", GatewayHTTP.echoStream, "POST"),
                ("HEAD", GatewayHTTP.echoStream, "POST"),
            ] {
                let reply = try await gateway.http.ask(method, path)
                #expect(reply.status == 405 && reply["allow"] == allowed, "\(method) \(path)")
            }
        }
    }

    @Test(
        "refuse other media types",
        arguments: ["text/plain", "application/xml", "application/connect+json", "json", "", "application/"])
    func mediaTypes(type: String) async throws {
        try await RunningGateway.with { gateway in
            let fields = type.isEmpty ? [] : [("Content-Type", type)]
            let reply = try await gateway.http.ask("POST", GatewayHTTP.echo, fields, body: Array("{}".utf8))
            #expect(reply.status == 415 && reply["accept-post"] == "application/json, application/proto")
            let failure = try #require(reply.failure, "D6: an error is told in JSON")
            #expect(failure.code == "unknown" && failure.message.contains("allowed: application/json"))
            let stream = try await gateway.http.ask(
                "POST", GatewayHTTP.echoStream, type == "application/connect+json" ? [GatewayHTTP.json] : fields)
            #expect(stream.status == 415)
        }
    }

    @Test("name the request as the caller does, or anew when it does not or not well")
    func requestID() async throws {
        try await RunningGateway.with { gateway in
            let mine = try await gateway.http.call(
                "/waymark.places.v1.PlacesService/Nearby", "{}", [("X-Request-Id", "mine-1")])
            #expect(mine["x-request-id"] == "mine-1")
            #expect(gateway.behind.contexts.last?.requestID == "mine-1")
            for name in ["", "a b", String(repeating: "x", count: 65), "é"] {
                let reply = try await gateway.http.call(GatewayHTTP.echo, "{}", [("X-Request-Id", name)])
                let given = try #require(reply["x-request-id"])
                #expect(given != name && !given.isEmpty)
            }
            #expect(try await gateway.http.ask("GET", "/nothing")["x-request-id"] != nil)
        }
    }
}
