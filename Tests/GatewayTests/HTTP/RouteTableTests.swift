import Contracts
import HTTP
import TestSupport
import Testing

@testable import Gateway

@Suite("P37 the table of routes")
struct RouteTableTests {
    private static func route(_ path: Route.Path, _ name: String) -> Route {
        Route(path, [name]) { _, _, _ in HTTPResponse(200) }
    }

    private static let table = RouteTable([
        route(.at("/s"), "place"), route(.below("/s/"), "area"), route(.at("/s/known"), "place in an area"),
        route(.below("/a/", end: "/link"), "with an end"), route(.below("/a/"), "without an end"),
        route(.at("/s"), "the same place again"), route(.below("/s/"), "the same area again"),
    ])

    @Test(
        "has the place before the area, and of several areas the first",
        arguments: [
            ("/s", "place", ""), ("/s/", "area", ""), ("/s/x/y", "area", "x/y"),
            ("/s/known", "place in an area", ""), ("/a/x/link", "with an end", "x"),
            ("/a/link", "without an end", "link"), ("/a/x/link/", "without an end", "x/link/"),
        ])
    func found(path: String, name: String, rest: String) throws {
        let found = try #require(Self.table.find(path))
        #expect(found.route.methods == [name] && String(found.rest) == rest)
    }

    @Test("has nothing at another path", arguments: ["", "/", "s", "/S", "/sx", "/a", "//s", "/s\u{301}"])
    func nothing(path: String) { #expect(Self.table.find(path) == nil) }

    @Test("says how long a body may be before it comes")
    func body() async throws {
        try await RunningGateway.with { gateway in
            let client = try await gateway.http.connect()
            try await client.send("POST /session HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4097\r\n\r\n")
            let reply = try await client.reply()
            #expect(reply.status == 413 && reply.failure?.message == "a login has at most 4096 bytes")
        }
    }

    @Test("says who may come, after how one may ask and before what for")
    func visitors() async throws {
        try await RunningGateway.with(isOpen: false) { gateway throws in
            for (method, path, status) in [
                ("POST", "/events", 405), ("GET", "/events", 401), ("DELETE", "/account.zip", 405),
                ("HEAD", "/account.zip", 401), ("GET", "/albums/x.zip", 401), ("GET", "/albums/x", 404),
            ] { #expect(try await gateway.http.ask(method, path).status == status, "\(method) \(path)") }
        }
    }
}
