import Bytes
import Refusals
import Requests
import TestTools
import Testing

@Suite("P12 The token of a page")
struct PageTokenTests {
    @Test("carries distance and id exactly, and no other question takes it")
    func tokens() throws {
        var numbers = SeededGenerator(seed: 4)
        for _ in 0..<500 {
            let id = (0..<Int.random(in: 1...255, using: &numbers)).map { _ in
                UInt8.random(in: 0...255, using: &numbers)
            }
            let end = DistanceEnd(metres: Double.random(in: 0...2e7, using: &numbers), id: id)
            let fingerprint = numbers.next()
            let tokens = PageToken(of: fingerprint)
            let text = tokens.text(after: end.bytes)
            #expect(
                text.utf8.allSatisfy {
                    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8.contains($0)
                })
            #expect(try tokens.end(in: text) { DistanceEnd($0) } == end)
            #expect(throws: Refusal.self) { try PageToken(of: fingerprint ^ 1).end(in: text) { DistanceEnd($0) } }
            let half = try? tokens.end(in: String(text.dropLast(text.utf8.count / 2))) { DistanceEnd($0) }
            #expect(half?.id != id)
        }
    }

    @Test("is none for the first page, and refused when it is made up")
    func others() throws {
        let tokens = PageToken(of: "pins")
        #expect(try tokens.end(in: "") { $0 } == nil)
        for text in ["x", "AAAA", "€", String(repeating: "A", count: 100_000)] {
            let refusal = #expect(throws: Refusal.self) { try tokens.end(in: text) { $0 } }
            #expect(refusal?.field == "page_token" && (refusal?.problem.utf8.count ?? 0) < 200)
        }
    }

    @Test("base64url is that of RFC 4648, and takes nothing else")
    func base64() {
        let vectors: [(String, String)] = [
            ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE"),
            ("foobar", "Zm9vYmFy"),
            ("~~?", "fn4_"), ("~>", "fj4"),
        ]
        for (plain, text) in vectors {
            #expect(Base64URL.encode(Array(plain.utf8)) == text)
            #expect(Base64URL.decode(text) == Array(plain.utf8))
        }
        for text in ["Z", "Zh", "Zg==", "Zm9+", "Zm 9v", "Zm9\u{e9}"] {
            #expect(Base64URL.decode(text) == nil, "\(text)")
        }
    }
}
