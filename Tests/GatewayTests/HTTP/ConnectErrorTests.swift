import Contracts
import FoundationEssentials
import RPC
import TestSupport
import Testing
import Wire

@testable import Gateway

@Suite("P37 errors after the Connect protocol", .timeLimit(.minutes(3)))
struct ConnectErrorTests {
    private static let nearby = "/waymark.places.v1.PlacesService/Nearby"

    /// What the protocol's table says.
    private static let table: [(RPCCode, String, Int)] = [
        (.cancelled, "canceled", 499), (.unknown, "unknown", 500), (.invalidArgument, "invalid_argument", 400),
        (.deadlineExceeded, "deadline_exceeded", 504), (.notFound, "not_found", 404),
        (.alreadyExists, "already_exists", 409), (.permissionDenied, "permission_denied", 403),
        (.resourceExhausted, "resource_exhausted", 429), (.failedPrecondition, "failed_precondition", 400),
        (.aborted, "aborted", 409), (.outOfRange, "out_of_range", 400), (.unimplemented, "unimplemented", 501),
        (.internalError, "internal", 500), (.unavailable, "unavailable", 503), (.dataLoss, "data_loss", 500),
        (.unauthenticated, "unauthenticated", 401),
    ]

    private static func failing(_ error: any Error) -> FakeBackends {
        var backends = FakeBackends()
        backends.nearby = { _, _ in throw error }
        return backends
    }

    @Test("each code has its status and its name")
    func codes() async throws {
        for (code, name, status) in Self.table {
            #expect(code.httpStatus == status && code.connectName == name)
        }
        #expect(Self.table.count == RPCCode.allCases.count - 1)
    }

    @Test("the details come packed, and readable beside it; how long to wait is told in whole seconds too")
    func details() async throws {
        let details = StatusDetails(
            fieldViolations: [FieldViolation(field: "centre.latitude", description: "91 \"is\" too much")],
            retryAfterMs: 1500)
        let error = RPCError(.failedPrecondition, "not now — später", details: details)
        try await RunningGateway.with(Self.failing(error)) { gateway in
            let reply = try await gateway.http.call(Self.nearby, "{}", [("X-Request-Id", "r1")])
            #expect(reply.status == 400 && reply["content-type"] == "application/json" && reply["retry-after"] == "2")
            let failure = try #require(reply.failure)
            #expect(failure.code == "failed_precondition" && failure.message == "not now — später")
            #expect(failure.debug?.fieldViolations?.first?.description == "91 \"is\" too much")
            #expect(failure.debug?.retryAfterMs == "1500" && failure.debug?.requestId == "r1")
            let detail = try #require(failure.details?.first)
            #expect(detail.type == "waymark.rpc.v1.StatusDetails" && !detail.value.contains("="))
            let padding = String(repeating: "=", count: (4 - detail.value.count % 4) % 4)
            let packed = try #require(Data(base64Encoded: detail.value + padding))
            #expect(try StatusDetails(packed: Array(packed)).fieldViolations == details.fieldViolations)
        }
    }

    @Test("a refused field is named as JSON names it; the packed details name it as the .proto does")
    func names() async throws {
        let details = StatusDetails(fieldViolations: [FieldViolation(field: "photo.taken_time", description: "no")])
        let json = ConnectError(RPCError(.invalidArgument, "photo.taken_time: no", details: details)).json
        let text = String(decoding: json, as: UTF8.self)
        #expect(text.contains(#""message":"photo.takenTime: no""#) && text.contains(#""field":"photo.takenTime""#))
        #expect(text.contains(String(Data(details.packedBytes()).base64EncodedString().prefix { $0 != "=" })))
    }

    @Test("what went wrong inside is not told")
    func inner() async throws {
        struct Secret: Error, CustomStringConvertible { let description = "the password is swordfish" }
        try await RunningGateway.with(Self.failing(Secret())) { gateway in
            let reply = try await gateway.http.call(Self.nearby, "{}")
            #expect(reply.status == 500 && reply.failure?.code == "unknown")
            #expect(!reply.text.contains("swordfish") && !reply.text.contains("Secret"))
        }
    }

    @Test("a method or service that is not here is unimplemented, in JSON")
    func unknownMethod() async throws {
        try await RunningGateway.with { gateway in
            for path in ["/waymark.rpc.v1.EchoService/Nothing", "/no.such.Service/Method", "/a.b/"] {
                let reply = try await gateway.http.call(path, "{}")
                #expect(reply.status == 404 && reply.failure?.code == "unimplemented", "\(path)")
            }
            #expect(try await gateway.http.call("/nothing", "{}").status == 404)
            #expect(try await gateway.http.ask("GET", "/no.such.Service/Method").status == 404)
        }
    }

    @Test(
        "JSON that is no request is refused, with the field that is wrong",
        arguments: [
            ("nonsense", nil), ("{", nil), ("[]", nil), ("null", nil), ("{}{}", nil), ("{} x", nil),
            (#"{"nothing":1}"#, "nothing"), (#"{"centre":{"altitude":1}}"#, "centre.altitude"),
            (#"{"limit":"many"}"#, "limit"), (#"{"limit":4294967296}"#, "limit"), (#"{"limit":-1}"#, "limit"),
            (#"{"limit":1.5}"#, "limit"), (#"{"limit":1e99}"#, "limit"), (#"{"radiusM":NaN}"#, nil),
            (#"{"radiusM":1e999}"#, "radiusM"), (#"{"radiusM":"x"}"#, "radiusM"), (#"{"nameText":7}"#, "nameText"),
            (#"{"nameText":"a\#u{1}"}"#, nil), (#"{"nameText":"\ud800"}"#, nil), (#"{"networks":"osm"}"#, "networks"),
            (#"{"networks":[null]}"#, nil), (#"{"includeCount":"true"}"#, "includeCount"),
        ] as [(String, String?)])
    func badJSON(json: String, field: String?) async throws {
        try await RunningGateway.with { gateway in
            let reply = try await gateway.http.call(Self.nearby, json)
            let failure = try #require(reply.failure)
            #expect(reply.status == 400 && failure.code == "invalid_argument", "\(reply.text)")
            if let field { #expect(failure.debug?.fieldViolations?.first?.field == field, "\(reply.text)") }
            #expect(gateway.behind.contexts.isEmpty)
        }
    }

    @Test("D7 HTTP/2 is spoken with who begins so: the first frame has its settings")
    func http2() async throws {
        try await RunningGateway.with { gateway in
            let socket = try await gateway.http.connect()
            // Settings, of which there are none.
            try await socket.send(Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + [0, 0, 0, 4, 0, 0, 0, 0, 0])
            let head = try await socket.take(9)
            #expect(head[3...] == [4, 0, 0, 0, 0, 0] && head[2] > 0, "\(head)")
        }
    }

    @Test("what is refused before it is whole is told as all else: in JSON, with the request's id")
    func refusedEarly() async throws {
        try await RunningGateway.with(settings: ["--allow-origins", "https://a.example"]) { gateway in
            let fields = [("X-Request-Id", "r9"), ("Origin", "https://a.example")]
            let cases: [(String, [(String, String)], Int, String)] = [
                (Self.nearby, [("Content-Length", "99999999")], 413, "resource_exhausted"),
                (Self.nearby + "?a=%f", [], 400, "invalid_argument"),
                ("/session", [("Content-Length", "99999999")], 413, "resource_exhausted"),
            ]
            for (path, wrong, status, code) in cases {
                let reply = try await gateway.http.ask("POST", path, fields + wrong)
                #expect(reply.status == status && reply["x-request-id"] == "r9", "\(reply.text)")
                #expect(reply.failure?.code == code && reply.failure?.debug?.requestId == "r9")
                #expect(reply["x-content-type-options"] == "nosniff" && reply["vary"] == "Origin")
                #expect(reply["access-control-allow-origin"] == "https://a.example")
            }
        }
    }

    @Test("text that is not UTF-8, and nesting without end, are refused")
    func hostile() async throws {
        try await RunningGateway.with { gateway in
            let bodies: [[UInt8]] = [
                Array(#"{"nameText":""#.utf8) + [0xff, 0xfe] + Array(#""}"#.utf8),
                [0], [UInt8](repeating: UInt8(ascii: "["), count: 10_000),
                Array(String(repeating: #"{"a":"#, count: 10_000).utf8),
                Array(#"{"networks":\#(String(repeating: "[", count: 1_000_000))"#.utf8),
                Array(#"{"limit":1\#(String(repeating: "0", count: 1_000_000))}"#.utf8),
            ]
            for body in bodies {
                let reply = try await gateway.http.ask("POST", Self.nearby, [GatewayHTTP.json], body: body)
                #expect(
                    reply.status == 400 && reply.failure?.code == "invalid_argument",
                    "\(reply.status), \(body.prefix(20))")
            }
            let long = Array(#"{"nameText":"\#(String(repeating: "x", count: 7 << 20))"}"#.utf8)
            let socket = try await gateway.http.connect()
            try? await socket.send("POST", Self.nearby, [GatewayHTTP.json], body: long)
            #expect(try await socket.reply().status == 413)
        }
    }
}
