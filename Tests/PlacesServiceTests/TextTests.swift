import TestTools
import Testing
import Texts

@testable import PlacesService

@Suite("P12 Names")
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
