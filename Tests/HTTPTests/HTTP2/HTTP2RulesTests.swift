import TestSupport
import Testing

@testable import HTTP

/// What a client must not do, after RFC 9113; most of it libnghttp2 sees, and what becomes of the stream, of the
/// connection and of what they hold is ours.
struct BrokenRule: CustomTestStringConvertible {
    enum Outcome { case connection, stream, answer(String) }

    let testDescription: String
    let outcome: Outcome
    let frames: [UInt8]

    private init(_ rule: String, _ outcome: Outcome, _ frames: [UInt8]...) {
        (testDescription, self.outcome, self.frames) = (rule, outcome, frames.flatMap { $0 })
    }

    private static func frame(
        _ kind: HTTP2Client.Kind, _ flags: UInt8 = 0, on stream: UInt32 = 0, _ payload: [UInt8] = []
    ) -> [UInt8] { HTTP2Client.frame(kind, flags: flags, stream: stream, payload: payload) }

    /// A whole request on a stream.
    private static func get(_ stream: UInt32, _ more: [(String, String)] = []) -> [UInt8] {
        frame(.headers, 5, on: stream, HTTP2Client.head("GET", "/", more))
    }

    /// A request whose fields are only these.
    private static func only(_ fields: [(String, String)]) -> [UInt8] {
        frame(.headers, 5, on: 1, HTTP2Client.block(fields))
    }

    private static let method = (":method", "GET")
    private static let scheme = (":scheme", "http")
    private static let path = (":path", "/")
    private static let authority = (":authority", "localhost")
    private static let post = frame(.headers, 4, on: 1, HTTP2Client.head("POST"))

    static let all = [
        // Frames (4.2, 6).
        BrokenRule(
            "a frame longer than is allowed", .connection, post,
            frame(.data, on: 1, [UInt8](repeating: 0, count: 16_385))),
        BrokenRule("padding longer than its frame", .connection, post, frame(.data, 8, on: 1, [9, 0])),
        BrokenRule("data on no stream", .connection, frame(.data, on: 0, [1])),
        BrokenRule("a head on no stream", .connection, frame(.headers, 5, on: 0, HTTP2Client.head())),
        BrokenRule("settings on a stream", .connection, frame(.settings, on: 1)),
        BrokenRule("settings that are no multiple of six bytes", .connection, frame(.settings, on: 0, [1, 2, 3])),
        BrokenRule(
            "settings that are taken and yet have some", .connection, frame(.settings, 1, on: 0, [0, 1, 0, 0, 0, 0])),
        BrokenRule(
            "a setting for pushes that is neither 0 nor 1", .connection, frame(.settings, on: 0, [0, 2, 0, 0, 0, 2])),
        BrokenRule("a window of more than 2^31 - 1", .connection, frame(.settings, on: 0, [0, 4, 128, 0, 0, 0])),
        BrokenRule(
            "frames allowed to be shorter than 16,384", .connection, frame(.settings, on: 0, [0, 5, 0, 0, 63, 255])),
        BrokenRule("a ping that is not of eight bytes", .connection, frame(.ping, on: 0, [1])),
        BrokenRule("a ping on a stream", .connection, frame(.ping, on: 1, [UInt8](repeating: 0, count: 8))),
        BrokenRule("a reset that is not of four bytes", .connection, post, frame(.reset, on: 1, [0])),
        BrokenRule("a reset of a stream that was not opened", .connection, frame(.reset, on: 1, [0, 0, 0, 8])),
        BrokenRule("a promise by a client", .connection, post, frame(.push, 4, on: 1, [0, 0, 0, 2])),
        BrokenRule("a window that grows by nothing", .connection, frame(.windowUpdate, on: 0, [0, 0, 0, 0])),
        BrokenRule("a window that grows past its end", .connection, frame(.windowUpdate, on: 0, [127, 255, 255, 255])),
        BrokenRule("a farewell on a stream", .connection, frame(.goAway, on: 1, [UInt8](repeating: 0, count: 8))),
        BrokenRule("what continues no head", .connection, frame(.continuation, 4, on: 1)),
        BrokenRule(
            "data within a head", .connection, frame(.headers, 1, on: 1, HTTP2Client.head()), frame(.data, on: 1)),
        BrokenRule("a block that can't be unpacked", .connection, frame(.headers, 5, on: 1, [0xff, 0xff, 0xff, 0xff])),
        BrokenRule("a frame of an unknown kind", .answer("200"), [0, 0, 1, 200, 0, 0, 0, 0, 0, 7], get(1)),
        // Streams (5.1).
        BrokenRule("a stream with an even number", .connection, get(2)),
        BrokenRule("data on a stream that was not opened", .connection, frame(.data, on: 1, [1])),
        BrokenRule("a stream that waits for itself", .connection, frame(.priority, on: 1, [0, 0, 0, 1, 0]), get(1)),
        // Requests (8.1 to 8.3).
        BrokenRule("a name in capitals", .stream, get(1, [("X-Name", "y")])),
        BrokenRule("a field of the connection", .stream, get(1, [("connection", "close")])),
        BrokenRule("chunks", .stream, get(1, [("transfer-encoding", "chunked")])),
        BrokenRule("trailers that are not only that", .stream, get(1, [("te", "trailers, deflate")])),
        BrokenRule("a line in a value", .stream, get(1, [("x", "a\r\nb: c")])),
        BrokenRule("no method", .stream, only([scheme, path, authority])),
        BrokenRule("no scheme", .stream, only([method, path, authority])),
        BrokenRule("no path", .stream, only([method, scheme, authority])),
        BrokenRule("an empty path", .stream, only([method, scheme, (":path", ""), authority])),
        BrokenRule("a path twice", .stream, only([method, scheme, path, path, authority])),
        BrokenRule("a status in a request", .stream, only([method, scheme, path, authority, (":status", "200")])),
        BrokenRule("a field with a colon that is unknown", .stream, only([method, scheme, path, (":x", "y")])),
        BrokenRule("a path behind other fields", .stream, only([method, scheme, ("x", "y"), path])),
        BrokenRule(
            "a method in what follows a body", .stream, post, frame(.headers, 5, on: 1, HTTP2Client.block([method]))),
        BrokenRule(
            "what follows a body and is not the end", .stream, post,
            frame(.headers, 4, on: 1, HTTP2Client.block([("x", "y")]))),
        BrokenRule(
            "more of a body than was declared", .stream,
            frame(.headers, 4, on: 1, HTTP2Client.head("POST", "/", [("content-length", "1")])),
            frame(.data, 1, on: 1, [1, 2])),
    ]
}

@Suite("P37 rules of HTTP/2", .timeLimit(.minutes(3)))
struct HTTP2RulesTests {
    @Test("that are broken cost the stream, or the connection, and nothing of them is kept", arguments: BrokenRule.all)
    func broken(rule: BrokenRule) async throws {
        try await RunningHTTP.with { http in
            let client = try await HTTP2Client(connectingTo: http.port)
            try await client.send(rule.frames)
            switch rule.outcome {
            case .connection:
                #expect(try await client.end() != nil, "without a reason")
            case .stream:
                #expect(try await client.answer(1).reset == 1)
                // The connection goes on.
                try await client.send(HTTP2Client.frame(.headers, flags: 5, stream: 9, payload: HTTP2Client.head()))
                #expect(try await client.answer(9).status == "200")
                client.socket.endSending()
            case .answer(let status):
                #expect(try await client.answer(1).status == status)
                client.socket.endSending()
            }
            #expect(await http.isEmptySoon())
        }
    }
}
