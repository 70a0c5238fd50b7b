import TestSupport
import TestTools
import Testing

@testable import HTTP

@Suite("E8 requests by the letter of RFC 9112", .timeLimit(.minutes(1)))
struct RequestGateTests {
    private static let get = "GET / HTTP/1.1\r\nHost: x\r\n"
    private static let post = "POST / HTTP/1.1\r\nHost: x\r\n"
    private static let chunked = post + "Transfer-Encoding: chunked\r\n\r\n"
    private static let smuggled = "GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n"

    /// What two readers could understand in two ways, or what is no request at all.
    static let badShapes: [String] = [
        // The first line.
        "GET  / HTTP/1.1\r\n", "GET /  HTTP/1.1\r\n", " GET / HTTP/1.1\r\n", "GET / HTTP/1.1 \r\n",
        "GET\t/\tHTTP/1.1\r\n",
        "GET / HTTP/1.1\n", "GET / HTTP/1.1\r\r\n", "GET /\r HTTP/1.1\r\n", "GET /\u{0} HTTP/1.1\r\n",
        "GET /a\u{0}b HTTP/1.1\r\n", "G\u{0}ET / HTTP/1.1\r\n", "GET / HTTP/1.1\u{0}\r\n", "GET / HTTP/11\r\n",
        "GET / http/1.1\r\n", "GET / HTTP/1.\r\n", "GET / HTTP/1.1x\r\n", "GET / XTTP/1.1\r\n", "GET /\r\n", "GET\r\n",
        "\r\n\r\nGET / HTTP/1.1\r\n", "\nGET / HTTP/1.1\r\n", "G{T / HTTP/1.1\r\n", "GET /\u{7f} HTTP/1.1\r\n",
        "GET /é HTTP/1.1\r\n", "(GET) / HTTP/1.1\r\n", "\u{16}\u{3}\u{1}\r\n",
        "GET /?\(String(repeating: "a&", count: 128)) HTTP/1.1\r\n",
        // The ends of lines.
        "GET / HTTP/1.1\nHost: x\r\n\r\n", "GET / HTTP/1.1\r\nHost: x\n\r\n", "\(get)\n", "\(get)A: b\rC: d\r\n\r\n",
        "\(get)A: b\n\n", "\(get)A: b\r\r\n\r\n", "\(get)\r\r\n",
        // Names.
        "\(get):\r\n\r\n", "\(get): b\r\n\r\n", "\(get)A\r\n\r\n", "\(get)A B: c\r\n\r\n", "\(get)A : b\r\n\r\n",
        "\(get)A\t: b\r\n\r\n", "\(get)A\u{0}: b\r\n\r\n", "\(get)A\u{7f}: b\r\n\r\n", "\(get)A(b): c\r\n\r\n",
        "\(get)\"A\": c\r\n\r\n", "\(get)A/b: c\r\n\r\n", "\(get)é: c\r\n\r\n", "\(get)A[]: c\r\n\r\n",
        "\(get)A,b: c\r\n\r\n",
        // Folded lines.
        "\(get) A: b\r\n\r\n", "\(get)\tA: b\r\n\r\n", "\(get)A: b\r\n c\r\n\r\n", "\(get)A: b\r\n\tc\r\n\r\n",
        "GET / HTTP/1.1\r\n Host: x\r\n\r\n", "\(post)Content-Length: 80\r\n x\r\n\r\n",
        "\(post)Content-Length:\r\n 5\r\n\r\n",
        "\(post)Transfer-Encoding:\r\n chunked\r\n\r\n", "\(post)Transfer-Encoding: chun\r\n ked\r\n\r\n",
        // Values.
        "GET / HTTP/1.1\r\nHost: x\u{0}y\r\n\r\n", "\(get)A: b\u{0}\r\n\r\n", "\(get)A: \u{1}\r\n\r\n",
        "\(get)A: b\u{7f}\r\n\r\n",
        "\(get)A: \u{1b}[31m\r\n\r\n", "\(get)A: b\u{8}\r\n\r\n", "\(get)A: b\u{b}\r\n\r\n", "\(get)A: b\u{c}\r\n\r\n",
        // Lengths.
        "\(post)Content-Length: 5\u{0}\r\n\r\n", "\(post)Content-Length: +5\r\n\r\n",
        "\(post)Content-Length: -5\r\n\r\n",
        "\(post)Content-Length: 0x5\r\n\r\n", "\(post)Content-Length: 5 5\r\n\r\n",
        "\(post)Content-Length: 5,5\r\n\r\n",
        "\(post)Content-Length:\r\n\r\n", "\(post)Content-Length: 5.\r\n\r\n", "\(post)Content-Length: 1e1\r\n\r\n",
        "\(post)Content-Length: 1234567890123456789\r\n\r\n", "\(post)Content-Length : 5\r\n\r\n",
        "\(post)Content-Length: 5\r\nContent-Length: 5\r\n\r\n",
        "\(post)content-length: 5\r\nCONTENT-LENGTH: 6\r\n\r\n",
        "\(post)Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n",
        "\(post)Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n",
        // Codings.
        "\(post)Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n",
        "\(post)Transfer-Encoding: gzip\r\n\r\n",
        "\(post)Transfer-Encoding: chunked, chunked\r\n\r\n", "\(post)Transfer-Encoding: gzip, chunked\r\n\r\n",
        "\(post)Transfer-Encoding: chunked\u{0}\r\n\r\n", "\(post)Transfer-Encoding: \u{b}chunked\r\n\r\n",
        "\(post)Transfer-Encoding: xchunked\r\n\r\n", "\(post)Transfer-Encoding:\r\n\r\n",
        "\(post)Transfer-Encoding: identity\r\n\r\n", "\(post)Transfer-Encoding: \"chunked\"\r\n\r\n",
        "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n",
        // Chunks.
        "\(chunked)\r\n", "\(chunked)x\r\n", "\(chunked)-1\r\n", "\(chunked)0x1\r\n", "\(chunked) 1\r\n",
        "\(chunked)1 \r\n",
        "\(chunked)1\n", "\(chunked)1;a\nb\r\n", "\(chunked)1;a\rb\r\n", "\(chunked)1;\u{0}\r\n", "\(chunked)1,\r\n",
        "\(chunked)FFFFFFFFFFFFFFFF\r\n", "\(chunked)3\r\nabcd\r\n", "\(chunked)3\r\nabc\n", "\(chunked)3\r\nabcX\r\n",
        "\(chunked)0\r\n: a\r\n\r\n", "\(chunked)0\r\nA: b\n\r\n", "\(chunked)0\r\n A: b\r\n\r\n", "\(chunked)0\n\r\n",
    ]

    /// What is unusual, and can be read in one way only.
    static let goodShapes: [String] = [
        smuggled, "\r\n" + smuggled, "\(get)A:b\r\nC: \r\nD:\te\t\r\n\r\n", "\(get)A: \u{e9}\r\n\r\n",
        "\(get)a!#$%&'*+.^_`|~1: b\r\n\r\n",
        "OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n", "GET http://x/y?z HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET / HTTP/1.0\r\n\r\n",
        "GET / HTTP/2.0\r\n\r\n", "\(post)Content-Length: 5\r\n\r\nhello",
        "\(post)content-length:\t5 \r\n\r\n\r\n\r\n1",
        "\(post)Content-Length: 0\r\n\r\n", "\(post)Content-Length: 00005\r\n\r\nhello", "\(chunked)0\r\n\r\n",
        "\(chunked)5\r\nhello\r\n0\r\n\r\n", "\(chunked)5;name=\"v a\"\r\nhello\r\n1\r\n\n\r\n00\r\nA: b\r\n\r\n",
        "\(post)TRANSFER-ENCODING: Chunked\r\n\r\n0a\r\n0123456789\r\n0\r\n\r\n",
        "GET /?\(String(repeating: "a&", count: 127)) HTTP/1.1\r\n\r\n",
    ]

    private static func verdict(_ bytes: [UInt8], inPieces size: Int) -> RequestGate.Verdict {
        var gate = RequestGate(longestHead: 16 << 10)
        var verdict = RequestGate.Verdict.passed
        for start in stride(from: 0, to: bytes.count, by: size) where verdict == .passed {
            verdict = bytes[start..<min(start + size, bytes.count)].withUnsafeBufferPointer { gate.take($0.span) }
        }
        return verdict
    }

    @Test("are refused when two readers could disagree, however they arrive", arguments: badShapes.indices)
    func refused(index: Int) async throws {
        #expect(Self.badShapes.count >= 80)
        let bytes = Array(Self.badShapes[index].utf8)
        for size in [1, 2, 3, 7, bytes.count] {
            let verdict = Self.verdict(bytes, inPieces: size)
            #expect(verdict != .passed, "\(Self.badShapes[index].debugDescription) in pieces of \(size)")
        }
    }

    @Test("pass when they can be read in one way only, one behind the other too", arguments: goodShapes.indices)
    func passed(index: Int) {
        let text = Self.goodShapes[index]
        for bytes in [Array(text.utf8), Array((text + text + Self.smuggled).utf8)] {
            for size in [1, 2, 5, bytes.count] {
                #expect(Self.verdict(bytes, inPieces: size) == .passed, "\(text.debugDescription) in pieces of \(size)")
            }
        }
    }

    @Test("are all let through before the one that is refused")
    func before() {
        let good = Array((Self.smuggled + "\(Self.post)Content-Length: 5\r\n\r\nhello").utf8)
        let bytes = good + Array("\(Self.get)A : b\r\n\r\n".utf8)
        guard case .refused(let refusal, let passed) = Self.verdict(bytes, inPieces: bytes.count) else {
            Issue.record("it passed")
            return
        }
        #expect(passed == good.count && refusal.status == 400)
    }

    @Test("with a head that has no end, or too many fields, are refused", arguments: ["a", "A: b\r\n"])
    func endless(piece: String) {
        let bytes = Array((Self.get + String(repeating: piece, count: 20_000)).utf8)
        for size in [1000, bytes.count] {
            guard case .refused(let refusal, _) = Self.verdict(bytes, inPieces: size) else {
                Issue.record("it passed")
                continue
            }
            #expect(refusal.status == 431)
        }
    }

    @Test("from a socket: nothing that stands in or behind a refused one is answered", arguments: badShapes.indices)
    func socket(index: Int) async throws {
        try await RunningHTTP.with(limits: { $0.patience = .milliseconds(500) }) { http in
            let client = try await http.connect()
            try? await client.send(Array((Self.smuggled + Self.badShapes[index] + Self.smuggled).utf8))
            client.socket.endSending()
            let lines = String(decoding: try await client.rest(), as: UTF8.self).split(separator: "\r\n")
            let statuses = lines.filter { $0.hasPrefix("HTTP/1.") }.compactMap {
                $0.split(separator: " ").dropFirst().first
            }
            #expect(statuses.first == "200" && statuses.count <= 2, "\(statuses)")
            #expect(statuses.dropFirst().allSatisfy { ["400", "414", "431", "501"].contains($0) }, "\(statuses)")
        }
    }
}
