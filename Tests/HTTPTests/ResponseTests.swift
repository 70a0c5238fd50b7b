import Glibc
import TestSupport
import TestTools
import Testing

@testable import HTTP

@Suite("P37 answers over HTTP/1.1", .timeLimit(.minutes(3)))
struct ResponseTests {
    /// Answers with parts of a file: "/offset/count".
    private static func serving(_ path: String) -> ScriptedResponder {
        ScriptedResponder { request in
            let numbers = request.path.split(separator: "/").compactMap { Int($0) }
            let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
            guard numbers.count == 2, descriptor >= 0 else { return HTTPResponse(404) }
            return HTTPResponse(
                200, body: .file(HTTPFile(owning: descriptor), offset: numbers[0], count: numbers[1]))
        }
    }

    private static func with(
        bytes: [UInt8], _ change: (inout HTTPLimits) -> Void = { _ in }, _ body: (RunningHTTP) async throws -> Void
    ) async throws {
        try await TemporaryFolder.with { folder in
            try WholeFile.write(bytes, to: "\(folder)/file")
            try await RunningHTTP.with(serving("\(folder)/file"), limits: change, body)
        }
    }

    @Test("a part of a file is just that part", arguments: [(0, 10), (3, 4), (9, 1), (0, 0), (10, 0)])
    func parts(offset: Int, count: Int) async throws {
        let bytes = Array("0123456789".utf8)
        try await Self.with(bytes: bytes) { http in
            let client = try await http.connect()
            for _ in 0..<2 {
                let reply = try await client.ask("GET", "/\(offset)/\(count)")
                #expect(reply.body == Array(bytes[offset..<offset + count]))
                #expect(reply["content-length"] == "\(count)")
            }
            #expect(try await client.ask("HEAD", "/\(offset)/\(count)")["content-length"] == "\(count)")
        }
    }

    @Test("a big file arrives whole, also when its reader is slow and another one is not")
    func bigFile() async throws {
        let bytes = (0..<20 << 20).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 13) }
        try await Self.with(bytes: bytes) { http in
            let slow = try await http.connect(receiveBytes: 4096)
            try await slow.send("GET", "/5/\(bytes.count - 5)")
            #expect(try await slow.head().status == 200)
            let quick = try await http.connect()
            #expect(try await quick.ask("GET", "/0/\(bytes.count)").body == bytes)
            #expect(try await slow.take(bytes.count - 5) == Array(bytes[5...]))
            #expect(await http.load.exchanges == 0)
        }
    }

    @Test("a file that has become shorter than was told is cut off, not stretched")
    func shorterFile() async throws {
        try await Self.with(bytes: Array("0123456789".utf8), { $0.patience = .seconds(5) }) { http in
            let client = try await http.connect()
            try await client.send("GET", "/0/1000")
            #expect(try await client.head()["content-length"] == "1000")
            #expect(try await client.rest() == Array("0123456789".utf8))
        }
    }

    @Test("an answer without a body is one", arguments: [200, 204, 304, 404, 500])
    func noBody(status: Int) async throws {
        try await RunningHTTP.with(ScriptedResponder { _ in HTTPResponse(status, headers: [("ETag", "\"x\"")]) }) {
            http in
            let client = try await http.connect()
            for _ in 0..<3 {
                let reply = try await client.ask("GET", "/")
                #expect(reply.status == status && reply.body.isEmpty && reply["etag"] == "\"x\"")
            }
        }
    }

    @Test("a value that would be a header of its own is left out, and the answer goes on")
    func splitting() async throws {
        let responder = ScriptedResponder { _ in
            HTTPResponse(200, headers: [("X-Bad", "a\r\nX-Injected: 1"), ("X-Good", "b")], body: .bytes([1]))
        }
        try await RunningHTTP.with(responder) { http in
            let reply = try await http.connect().ask("GET", "/")
            #expect(reply.status == 200 && reply.body == [1])
            #expect(reply["x-injected"] == nil && reply["x-bad"] == nil && reply["x-good"] == "b")
        }
    }

    @Test("a big answer arrives whole at a reader that takes a little at a time")
    func bigBytes() async throws {
        let bytes = [UInt8](repeating: 7, count: 10 << 20)
        try await RunningHTTP.with(ScriptedResponder { _ in HTTPResponse(200, body: .bytes(bytes)) }) { http in
            let client = try await http.connect(receiveBytes: 4096)
            #expect(try await client.ask("GET", "/").body.count == bytes.count)
        }
    }

    @Test("one that has no body says no length of it, and the next comes behind it", arguments: [204, 304])
    func bodiless(status: Int) async throws {
        let responder = ScriptedResponder { request in
            request.path == "/" ? HTTPResponse(status, headers: [("ETag", "\"a\"")]) : HTTPResponse(200, text: "next")
        }
        try await RunningHTTP.with(responder) { http in
            let client = try await http.connect()
            for method in ["GET", "HEAD", "GET"] {
                let reply = try await client.ask(method, "/")
                #expect(reply.status == status && reply["etag"] == "\"a\"" && reply["content-length"] == nil)
                #expect(reply["transfer-encoding"] == nil && reply["connection"] == nil)
            }
            // Several at once, as one that asks ahead does.
            try await client.send(String(repeating: "GET / HTTP/1.1\r\nHost: x\r\n\r\n", count: 20))
            for _ in 0..<20 { #expect(try await client.head()["content-length"] == nil) }
            #expect(try await client.ask("GET", "/next").text == "next\n")
            let empty = try await client.ask("POST", "/next")
            #expect(empty["content-length"] == "5")
        }
    }
}
