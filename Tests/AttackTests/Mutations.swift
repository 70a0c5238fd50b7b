import Compression
import Contracts
import RPC
import TestSupport
import TestTools
import Wire

/// Makes what strangers might send: well formed for the most part, with one thing in it that is very large, or written
/// in a way that readers understand differently.
struct Mutations {
    var random: SeededGenerator

    /// A size up to `most`, small ones as likely as large ones; often `most` itself: sizes go wrong at limits.
    mutating func size(_ most: Int) -> Int {
        if random.chance(0.3) { return most }
        let bits = Int.random(in: 0...(Int.bitWidth - most.leadingZeroBitCount), using: &random)
        return min(most, Int.random(in: 0...max(1, 1 << bits), using: &random))
    }

    // MARK: JSON

    private static let words = [
        "\"\"", "0", "{}", "\"x\"", "null", "1e9", "true", "-1", "[]", "\"1970-01-01T00:00:00Z\"",
    ]
    private static let names = [
        "networks", "datasets", "categories", "excludedCategories", "fields", "centre", "radiusM", "limit", "nameText",
        "pageToken", "payload", "count", "unknown",
    ]
    private static let lists = ["networks", "datasets", "categories", "excludedCategories", "fields"]
    private static let letters = ["k", "\u{301}", "\\u0041", "é", "\\n", " "]

    /// An object of a few members, one of which may be of megabytes.
    mutating func json() -> [UInt8] {
        // Valid but for its size: what is refused early is not seen by what comes later.
        if random.chance(0.3) {
            let texts = list(of: random.one(of: ["\"\"", "\"x\""]))
            return Array("{\"\(random.one(of: Self.lists))\":".utf8) + texts + Array("}".utf8)
        }
        let members = (0..<Int.random(in: 1...3, using: &random)).map { _ in member() }
        return Array("{".utf8) + Array(members.joined(separator: Array(",".utf8))) + Array("}".utf8)
    }

    private mutating func member() -> [UInt8] {
        let name = random.chance(0.2) ? text(5 << 20) : Array("\"\(random.one(of: Self.names))\"".utf8)
        return name + Array(":".utf8) + value()
    }

    private mutating func value() -> [UInt8] {
        switch Int.random(in: 0...4, using: &random) {
        case 0: return Array(random.one(of: Self.words).utf8)
        case 1: return text(5 << 20)
        case 2: return Array(("1" + String(repeating: "0", count: size(5 << 20))).utf8)
        case 3:
            let depth = size(100_000)
            return [UInt8](repeating: UInt8(ascii: "["), count: depth)
                + [UInt8](repeating: UInt8(ascii: "]"), count: depth)
        default: return list(of: random.one(of: Self.words))
        }
    }

    private mutating func list(of word: String) -> [UInt8] {
        let element = Array(word.utf8)
        let more = [UInt8](repeatElement(Array(",".utf8) + element, count: size(2_000_000)).joined().prefix(6 << 20))
        // The cut may be in the midst of an element.
        return Array("[".utf8) + element + more.dropLast(more.count % (element.count + 1)) + Array("]".utf8)
    }

    private mutating func text(_ most: Int) -> [UInt8] {
        let letter = Array(random.one(of: Self.letters).utf8)
        return Array("\"".utf8) + [UInt8](repeatElement(letter, count: size(most / letter.count)).joined())
            + Array("\"".utf8)
    }

    // MARK: HTTP

    /// A request that says how long its body is, in a way that readers may understand differently; in its body stands
    /// another request, for `path`.
    mutating func framing(hiding path: String) -> [UInt8] {
        let hidden = "GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n"
        var lines = [
            "POST /waymark.rpc.v1.EchoService/Echo HTTP/1.1", "Host: localhost", "Content-Type: application/json",
            random.one(of: ["Content-Length: \(hidden.utf8.count)", "Transfer-Encoding: chunked"]),
        ]
        let odd = [
            " x", "\tx", ":", ": x", "A", "A\u{0}: b", "A: \u{0}", "Content-Length: 0", "Transfer-Encoding: identity",
            "Content-Length:\u{0}0", "Transfer-Encoding: x\u{0}chunked", "A: b\n\n", "A: b\r", "\u{b}: x",
        ]
        for _ in 0...Int.random(in: 0...2, using: &random) {
            let at = Int.random(in: 1...lines.count, using: &random)
            lines.insert(random.one(of: odd), at: at)
        }
        let end = random.one(of: ["\r\n", "\r\n", "\r\n", "\n"])
        let body = random.one(of: [
            hidden, "0\r\n\r\n\(hidden)", "\(String(hidden.utf8.count, radix: 16))\r\n\(hidden)\r\n0\r\n\r\n",
        ])
        return Array((lines.joined(separator: end) + end + end + body).utf8)
    }

    // MARK: frames

    /// Frames of calls whose requests are large, whole or cut off.
    mutating func frames() -> [UInt8] {
        var bytes = WireFrame.hello.bytes
        for id in 1...Int.random(in: 1...40, using: &random) {
            let payload = [UInt8](repeating: 7, count: size((4 << 20) - 300))
            switch Int.random(in: 0...3, using: &random) {
            case 0: bytes += WireFrame(.ping, Array(payload.prefix(2000))).bytes
            case 1:
                bytes +=
                    WireFrame.call(
                        UInt32(id), EchoServiceMethods.echoStream, EchoStreamRequest(payload: payload, count: 1000),
                        timeoutUs: nil, credit: .max
                    ).bytes
            default: bytes += WireFrame.call(UInt32(id), EchoServiceMethods.echo, EchoRequest(payload: payload)).bytes
            }
            if bytes.count > 40 << 20 { break }
        }
        return random.chance(0.5) ? bytes.dropLast(size(min(bytes.count - 1, 5000))) : bytes
    }

    // MARK: files

    /// A table of good rows, packed.
    mutating func table() -> [UInt8] {
        let row = Array(random.one(of: ["1,a,1,2\n", "1,,1,2\n", "\"1\",\"a\nb\",1,2\n"]).utf8)
        let rows = Array("id,name,lat,lon\n".utf8) + [UInt8](repeatElement(row, count: size(8_000_000)).joined())
        return Gzip.pack(rows, level: 1)
    }
}
