import TestSupport
import TestTools
import Testing

@testable import HTTP

/// Bytes in, heads out: what the gate lets through libmicrohttpd reads in the same way, and all else gets one answer.
@Suite("E20 each request is read in one way or refused once", .timeLimit(.minutes(3)))
struct OneReadingTests {
    /// Nothing, or blanks, where a writer may leave them.
    private static let blanks = ["", " ", "\t", "  ", " \t", "\t\t "]

    /// A request, and how many bytes its body has where every reader finds the same; nil where it is to be refused.
    struct Shape {
        let text: String
        let bodyBytes: Int?
    }

    /// A POST with these header fields and what follows them.
    private static func post(_ fields: String, _ body: String = "", is bodyBytes: Int?) -> Shape {
        Shape(text: "POST /x HTTP/1.1\r\n\(fields)\r\n\r\n\(body)", bodyBytes: bodyBytes)
    }

    /// The same with a body in chunks, the first of which has this line before it.
    private static func chunked(_ line: String, is bodyBytes: Int?) -> Shape {
        post("Host: x\r\nTransfer-Encoding: chunked", "\(line)\r\nhello\r\n0\r\nT: u\r\n\r\n", is: bodyBytes)
    }

    /// Blanks before and behind each value on which it depends where a request ends, or whom it is for.
    static let blankShapes: [Shape] = blanks.flatMap { before in
        blanks.flatMap { behind -> [Shape] in
            let isPlain = behind.isEmpty
            let chunks = "5\r\nhello\r\n0\r\n\r\n"
            return [
                post("Host: x\r\nContent-Length:\(before)5\(behind)", "hello", is: isPlain ? 5 : nil),
                post("Host: x\r\nContent-Length:\(before)0\(behind)", is: isPlain ? 0 : nil),
                post("Host: x\r\nTransfer-Encoding:\(before)chunked\(behind)", chunks, is: isPlain ? 5 : nil),
                post("Host:\(before)x\(behind)\r\nContent-Length: 5", "hello", is: 5),
                post("Host: x\r\nExpect:\(before)nothing\(behind)\r\nA:\(before)b\(behind)", is: 0),
                post("Host: x\r\nCookie:\(before)a=b\(behind)", is: 0),
            ]
        }
    }

    /// Blanks and empty lines where none may be.
    static let oddShapes: [Shape] =
        blanks.dropFirst().flatMap { blank -> [Shape] in
            [
                post("Host: x\r\nContent-Length\(blank): 5", "hello", is: nil),
                post("Host: x\r\n\(blank)Content-Length: 5", "hello", is: nil),
                post("Host: x\r\nTransfer-Encoding\(blank): chunked", "0\r\n\r\n", is: nil),
                post("Host: x\r\nA\(blank): b", is: nil),
                Shape(text: "POST \(blank)/x HTTP/1.1\r\nHost: x\r\n\r\n", bodyBytes: nil),
                Shape(text: "POST /x HTTP/1.1\(blank)\r\nHost: x\r\n\r\n", bodyBytes: nil),
                Shape(text: "\(blank)POST /x HTTP/1.1\r\nHost: x\r\n\r\n", bodyBytes: nil),
                Shape(text: "\(blank)\r\nPOST /x HTTP/1.1\r\nHost: x\r\n\r\n", bodyBytes: nil),
                chunked("5\(blank)", is: nil), chunked("\(blank)5", is: nil),
            ]
        }
        + (0...4).map { count in
            let lines = String(repeating: "\r\n", count: count)
            return Shape(
                text: "\(lines)POST /x HTTP/1.1\r\nHost: x\r\n\r\n", bodyBytes: count < 2 ? 0 : nil)
        }

    /// Hosts that are missing, or none, or some; chunks with extensions and zeros.
    static let hostsAndChunks: [Shape] =
        [
            "A: b", "Host: x\r\nHost: x", "Host: x\r\nHOST: y", "Host: x y", "Host: x/", "Host: a@x",
            "Host: [::1].x", "Host: [::1", "Host: ::1", "Host: x:y", "Host: x,y", "Host: x\u{e9}", "Host: x:99999",
        ].map { post($0, is: nil) }
        + ["Host:", "Host: x:", "Host: x:1", "Host: [::1]:1", "host: X.example"].map { post($0, is: 0) }
        + ["5;a", "5;a=b", "5;a=\"b c\"", "05", "0000005", "5;\ta"].map { chunked($0, is: 5) }

    /// The heads of all answers, each with the last line of its body.
    private static func answers(_ http: RunningHTTP, _ text: String) async throws -> [(status: String, text: String)] {
        let client = try await http.connect()
        try? await client.send(Array(text.utf8))
        client.socket.endSending()
        let all = String(decoding: try await client.rest(), as: UTF8.self)
        return all.split(separator: "HTTP/1.1 ").map { (String($0.prefix(3)), String($0)) }
    }

    /// One connection for each shape, the shape followed by another request.
    private static func check(_ shapes: [Shape]) async throws {
        try await RunningHTTP.with(limits: { $0.patience = .seconds(20) }) { http in
            for shape in shapes {
                let next = "GET /next HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
                let answers = try await answers(http, shape.text + next)
                let said = "\(shape.text.debugDescription): \(answers.map(\.text))"
                if let count = shape.bodyBytes {
                    #expect(answers.map(\.status) == ["200", "200"], "\(said)")
                    #expect(answers.first?.text.contains("POST /x\n") ?? false, "\(said)")
                    #expect(answers.first?.text.hasSuffix("\n\(count) bytes\n") ?? false, "\(said)")
                    #expect(answers.last?.text.contains("GET /next\n") ?? false, "\(said)")
                } else {
                    #expect(answers.map(\.status) == ["400"], "\(said)")
                    #expect(answers.first?.text.lowercased().contains("connection: close\r\n") ?? false, "\(said)")
                }
            }
        }
    }

    @Test("blanks around values are found by both readers, or refused")
    func blanksAroundValues() async throws { try await Self.check(Self.blankShapes) }

    @Test("what stands where nothing may, or is missing, is refused once and clearly")
    func odd() async throws { try await Self.check(Self.oddShapes + Self.hostsAndChunks) }
}
