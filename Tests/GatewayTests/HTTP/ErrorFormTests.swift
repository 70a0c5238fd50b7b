import TestSupport
import Testing

@testable import Gateway

@Suite("P37 the form of errors over HTTP", .timeLimit(.minutes(3)))
struct ErrorFormTests {
    @Test("D6 is JSON with a code and a message, whatever is refused and wherever")
    func json() async throws {
        try await RunningGateway.with { gateway in
            let long = String(repeating: "x", count: 5000)
            let cases: [(String, String, [(String, String)], String, Int, String)] = [
                ("POST", GatewayHTTP.echo, [], "{}", 415, "unknown"),
                ("PUT", GatewayHTTP.echo, [], "", 405, "unknown"),
                ("DELETE", GatewayHTTP.echoStream, [], "", 405, "unknown"),
                ("PATCH", "/session", [], "", 405, "unknown"), ("POST", "/events", [], "", 405, "unknown"),
                ("PUT", "/pictures/x", [], "", 405, "unknown"),
                ("POST", "/openapi.json", [], "", 405, "unknown"),
                ("GET", "/pictures/x", [], "", 404, "not_found"),
                ("GET", "/nothing", [], "", 404, "not_found"), ("POST", "/session", [], "{}", 415, "unknown"),
                ("POST", "/session", [GatewayHTTP.json], "x", 400, "invalid_argument"),
                ("POST", "/session", [GatewayHTTP.json], #"{"token":"\#(long)"}"#, 413, "resource_exhausted"),
                ("POST", "/session", [GatewayHTTP.json], #"{"token":"x"}"#, 401, "unauthenticated"),
                ("GET", "/openapi.json", [("Range", "bytes=9999999-")], "", 416, "out_of_range"),
                ("GET", "/openapi.json", [("Origin", "http://a.example")], "", 403, "permission_denied"),
                ("GET", "/openapi.json", [("Host", "a.example")], "", 421, "permission_denied"),
                ("GET", "/openapi.json?\(String(repeating: "a&", count: 5000))", [], "", 414, "invalid_argument"),
                ("GET", "/openapi.json", Array(repeating: ("X", "x"), count: 101), "", 431, "invalid_argument"),
                ("GET", "/openapi.json", [("X", String(repeating: long, count: 20))], "", 431, "invalid_argument"),
                ("GET", "/events?watch=x", [], "", 400, "invalid_argument"),
            ]
            for (method, path, fields, body, status, code) in cases {
                let reply = try await gateway.http.ask(method, path, fields, body: Array(body.utf8))
                let what = "\(method) \(path.prefix(40)) \(fields.map(\.0)): \(reply.status) \(reply.text)"
                #expect(reply.status == status && reply["content-type"] == "application/json", "\(what)")
                #expect(reply.failure?.code == code && reply.failure?.message.isEmpty == false, "\(what)")
                #expect(reply["x-request-id"] != nil, "\(what)")
            }
        }
    }
}
