import Daemon
import Geo
import TestTools
import Testing

@testable import PlacesService

@Suite("P12 Names and tokens")
struct TextTests {
    static let folded: [(String, String)] = [
        ("", ""), ("  ", ""), ("Café", "cafe"), ("CAFÉ\u{301}", "cafe"), ("Straße", "strasse"), ("STRASSE", "strasse"),
        ("Łódź", "lodz"), ("Ærøskøbing", "aeroskobing"), ("Đà Nẵng", "da nang"), ("İstanbul", "istanbul"),
        ("O'Neill & Sons, Ltd.", "o neill sons ltd"), ("São Paulo", "sao paulo"), ("ﬁsh ½", "fish 1 2"),
        ("東京タワー", "東京タワー"), ("ΑΘΗΝΑ", "αθηνα"), ("Αθήνας", "αθηνασ"), ("Москва́", "москва"), ("a\u{0}b", "a b"),
        ("☕️ Bar", "bar"), ("Þórsmörk", "thorsmork"), ("１２", "12"), ("na\u{ad}me", "na me"),
        ("माली", "माली"), ("ドイツ", "ト\u{3099}イツ"), ("אַרָד", "ארד"), ("مُدُن", "مدن"),
    ]

    @Test("are folded to plain words", arguments: folded.indices)
    func folding(index: Int) {
        let (text, expected) = Self.folded[index]
        #expect(String(decoding: FoldedText(text).bytes, as: UTF8.self) == expected)
    }

    @Test("match by the beginnings of words")
    func matching() {
        func match(_ typed: String, _ name: String) -> Bool {
            let words = NameWords(folded: FoldedText(typed).bytes)
            return FoldedText(name).bytes.withUnsafeBytes { words.match($0) }
        }
        #expect(match("caf", "Grand Café Esplanad"))
        #expect(match("esp CAFÉ", "Grand Café Esplanad"))
        #expect(match("grand café esplanad", "Grand Café Esplanad"))
        #expect(!match("afé", "Grand Café Esplanad"))
        #expect(!match("cafe bar", "Grand Café Esplanad"))
        #expect(!match("esplanade", "Grand Café Esplanad"))
        #expect(!match("x", ""))
        #expect(match("", "anything"))
    }

    @Test("a token carries distance and id exactly, and no other question takes it")
    func tokens() {
        var numbers = SeededGenerator(seed: 4)
        for _ in 0..<500 {
            let id = (0..<Int.random(in: 1...255, using: &numbers)).map { _ in
                UInt8.random(in: 0...255, using: &numbers)
            }
            let cursor = SearchCursor(metres: Double.random(in: 0...2e7, using: &numbers), id: id)
            let fingerprint = numbers.next()
            let text = PageToken.text(after: cursor, fingerprint: fingerprint)
            #expect(
                text.utf8.allSatisfy {
                    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8.contains($0)
                })
            #expect(PageToken.cursor(in: text, fingerprint: fingerprint) == cursor)
            #expect(PageToken.cursor(in: text, fingerprint: fingerprint ^ 1) == nil)
            #expect(
                PageToken.cursor(in: String(text.dropLast(text.utf8.count / 2)), fingerprint: fingerprint)?.id != id)
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

    @Test("damaged records give nothing rather than a trap")
    func records() {
        for bytes: [UInt8] in [[], [1], [1, 0], [0xff, 0xff, 1, 2, 3]] {
            bytes.withUnsafeBytes { record in
                #expect(StoredPlace.text(of: record) == nil)
                #expect(StoredPlace.message(of: record) == nil)
            }
        }
        var record: [UInt8] = []
        StoredPlace.write(text: Array("ab".utf8), to: &record)
        record.append(7)
        record.withUnsafeBytes { record in
            #expect(StoredPlace.text(of: record).map(Array.init) == Array("ab".utf8))
            #expect(StoredPlace.message(of: record).map(Array.init) == [7])
        }
    }
}
