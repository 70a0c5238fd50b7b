import FoundationEssentials
import TestSupport
import TestTools
import Testing

@testable import HTTP

@Suite("E8 requests by the letter of RFC 9112", .timeLimit(.minutes(3)))
struct RequestGateTests {
    private static let get = "GET / HTTP/1.1\r\nHost: x\r\n"
    private static let post = "POST / HTTP/1.1\r\nHost: x\r\n"
    private static let chunked = post + "Transfer-Encoding: chunked\r\n\r\n"
    private static let smuggled = "GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n"

    /// What two readers could understand in two ways, or what is no request at all. Sent through proxies, too.
    static let badShapes: [String] = {
        let folder = #filePath.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" }
        guard let text = try? WholeFile.text("\(folder)/Vectors/bad-requests.json"),
            let shapes = try? JSONDecoder().decode([String].self, from: Data(text.utf8))
        else { return [] }
        return shapes
    }()

    /// What is unusual, and can be read in one way only.
    static let goodShapes: [String] = [
        smuggled, "\r\n" + smuggled, "\(get)A:b\r\nC: \r\nD:\te\t\r\n\r\n", "\(get)A: \u{e9}\r\n\r\n",
        "\(get)a!#$%&'*+.^_`|~1: b\r\n\r\n",
        "OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n", "GET http://x/y?z HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET / HTTP/1.0\r\n\r\n",
        "\(post)Content-Length: 5\r\n\r\nhello",
        "\(post)content-length:\t 5\r\n\r\n\r\n\r\n1", "GET / HTTP/1.1\r\nHost:\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: \tx.example:80 \t\r\n\r\n", "GET / HTTP/1.1\r\nHost: [::1]:80\r\n\r\n",
        "\(post)Content-Length: 0\r\n\r\n", "\(post)Content-Length: 00005\r\n\r\nhello", "\(chunked)0\r\n\r\n",
        "\(chunked)5\r\nhello\r\n0\r\n\r\n", "\(chunked)5;name=\"v a\"\r\nhello\r\n1\r\n\n\r\n00\r\nA: b\r\n\r\n",
        "\(post)TRANSFER-ENCODING: Chunked\r\n\r\n0a\r\n0123456789\r\n0\r\n\r\n",
        "GET /?\(String(repeating: "a&", count: 127)) HTTP/1.1\r\nHost: x\r\n\r\n",
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
        let bytes = Array(Self.badShapes[index].utf8)
        for size in [1, 2, 3, 7, bytes.count] {
            let verdict = Self.verdict(bytes, inPieces: size)
            #expect(verdict != .passed, "\(Self.badShapes[index].debugDescription) in pieces of \(size)")
        }
    }

    @Test("are at least 80 shapes")
    func shapes() { #expect(Self.badShapes.count >= 80) }

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

    /// Of all answers to a request between two others.
    private static func statuses(_ http: RunningHTTP, _ request: String) async throws -> [Substring] {
        let client = try await http.connect()
        try? await client.send(Array((smuggled + request + smuggled).utf8))
        client.socket.endSending()
        let lines = String(decoding: try await client.rest(), as: UTF8.self).split(separator: "\r\n")
        return lines.filter { $0.hasPrefix("HTTP/1.") }.compactMap { $0.split(separator: " ").dropFirst().first }
    }

    @Test("from a socket: nothing that stands in or behind a refused one is answered", arguments: badShapes.indices)
    func socket(index: Int) async throws {
        try await RunningHTTP.with(limits: { $0.patience = .milliseconds(500) }) { http in
            var statuses: [Substring] = []
            // A client that a busy machine holds up for longer than the server's patience comes again.
            while statuses.isEmpty { statuses = try await Self.statuses(http, Self.badShapes[index]) }
            #expect(statuses.first == "200" && statuses.count <= 2, "\(statuses)")
            #expect(statuses.dropFirst().allSatisfy { ["400", "414", "431", "501"].contains($0) }, "\(statuses)")
        }
    }
}
