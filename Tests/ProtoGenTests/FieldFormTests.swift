import FieldRules
import TestTools
import Testing

@Suite("The forms of texts")
struct FieldFormTests {
    private static let cases: [(FieldForm, taken: [String], refused: [String])] = [
        (.uuid, ["0198a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2B"], ["", "7", "0198a1b2c3d47e5f8a6b7c8d9e0f1a2b"]),
        (.requestID, ["a", "~!"], ["", "a b", "é", String(repeating: "x", count: 65)]),
        (.line, ["", "Home", "\n Home\t\n", "a\u{e9}\u{1f600}"], ["a\nb", "\u{7}", "a\u{2028}b", "a\u{0}"]),
        (.lines, ["a\nb\tc\r\n", "", "\u{b} a"], ["a\u{0}b", "a\u{7}", "a\u{b}b"]),
        (.visible, ["a", " a "], ["", " ", "\n\u{3000}"]), (.words, ["a", "-7-", "東京"], ["", "-", "…"]),
        (.photoID, ["flickr/1", "a/b/c", "x_-9/é"], ["flickr", "flickr/", "/1", "Flickr/1", "9/1", "a/\n"]),
        (.albumSubject, ["pin/p-1", "place/catalog/a/1"], ["pin/", "pin/a/b", "pins/a", "place/"]),
        (.datasetName, ["towns", "a-_9"], ["", "A", "a b", String(repeating: "a", count: 64)]),
        (.category, ["amenity", "amenity/cafe", "amenity/", "//"], ["", "/", String(repeating: "a", count: 256)]),
        (.countryCode, ["FI", "fi"], ["", "F", "FIN", "F1"]),
        (.webURL, ["http://a", "HTTPS://a.b:443/x?y#z", "https://[::1]/"], ["", "ftp://a", "http://", "http://a b"]),
        (.httpsURL, ["https://a.example/x.jpg"], ["http://a.example", "https://a\"", "https://a:0/"]),
        (.placeNetwork, ["catalog", "instagram"], ["", "flickr"]), (.liveNetwork, ["foursquare"], ["catalog"]),
        (.placeField, ["distance_m"], ["distanceM", ""]),
        (.photoNetwork, ["commons", "panoramax"], ["Commons", "folder", ""]),
        (.contact, ["me@example.org", " https://a b "], ["", "  ", "a\nb", "Å"]),
        (.keyNetwork, ["immich", "instagram"], ["", "Immich", "commons"]),
        (.network, ["commons", "a-1_b"], ["", "Commons", "1a", String(repeating: "a", count: 33)]),
        (.email, ["a@b", "ann.smith+x@example.org", "ä@ö.example"], ["", "a", "@b", "a@", "a@b@c", "a b@c", "a@b\n"]),
        (.searchedNetwork, ["catalog", "folder", "commons"], ["", "immich", "Commons"]),
        (.branch, ["places", "posts"], ["", "Places", "networks"]),
        (.shown, ["places", "photos"], ["", "posts"]),
        (
            .day, ["", "2026-05-04", "2024-02-29", "2000-02-29", "1969-12-31"],
            [
                "2026-5-4", "2026-02-29", "1900-02-29", "2026-04-31", "2026-13-01", "2026-00-10", "26-01-01",
                "2026-01-00",
            ]
        ),
        (.language, ["", "fi", "pt-BR", "zh-Hant-TW"], ["f", "-", "pt_BR", "pt-", "é"]),
        (.key, ["a", "!~", " a/b/ \n"], ["", "a b", "é", "/", "/ a", String(repeating: "a", count: 501)]),
        (
            .tag, ["a", "old harbour", "\n é\u{1f600} ", String(repeating: "é", count: 64)],
            ["", " ", "a\nb", "a\u{2028}b", "\u{7}", String(repeating: "a", count: 65)]
        ),
        (
            .placeID, ["catalog/helsinki/n1", "openstreetmap/node/7"],
            ["catalog", "catalog/", "/1", "Catalog/1", "a/\u{0}"]
        ),
        (
            .placeCategory, ["amenity/cafe", " Café\n", String(repeating: "é", count: 255)],
            ["", " ", "a\nb", "a\u{2028}b", "\u{7}", String(repeating: "a", count: 256)]
        ),
        (.name, ["a", " Summer 2026\n", "é"], ["", " ", "\u{85}", "a\nb", "a\u{2028}b", "\u{7}"]),
        (.sha256, [String(repeating: "0a", count: 32)], ["", "0a", String(repeating: "g", count: 64)]),
    ]

    @Test("take what they should and nothing else, as patterns and as checks", arguments: cases)
    func form(form: FieldForm, taken: [String], refused: [String]) throws {
        let regex = try Self.regex(form)
        for text in taken {
            #expect(try regex.wholeMatch(in: text) != nil, "\(text.debugDescription)")
            #expect(form.takes(text), "\(text.debugDescription)")
        }
        for text in refused {
            #expect(try regex.wholeMatch(in: text) == nil, "\(text.debugDescription)")
            #expect(!form.takes(text), "\(text.debugDescription)")
        }
    }

    @Test("say the same of a text as a pattern and as a check, however it was changed", arguments: cases)
    func agree(form: FieldForm, taken: [String], refused: [String]) throws {
        let regex = try Self.regex(form)
        var random = SeededGenerator(seed: 51)
        let signs = Array(" /-@:.a9\n\r\t\u{0}\u{7f}\u{85}\u{a0}\u{2028}\u{3000}é\u{301}東\u{1f600}".unicodeScalars)
        for text in taken + refused {
            for _ in 0..<40 {
                var scalars = Array(text.unicodeScalars)
                let place = Int.random(in: 0...scalars.count, using: &random)
                let sign = signs[Int.random(in: 0..<signs.count, using: &random)]
                if Bool.random(using: &random) || place == scalars.count {
                    scalars.insert(sign, at: place)
                } else {
                    scalars[place] = sign
                }
                let changed = String(String.UnicodeScalarView(scalars))
                let isOfPattern = try regex.wholeMatch(in: changed) != nil
                // The pattern of a URL says less: ports of four digits, and no path without its slash.
                let isNarrow = form == .webURL || form == .httpsURL
                #expect(form.takes(changed) == isOfPattern || isNarrow && !isOfPattern, "\(changed.debugDescription)")
            }
        }
    }

    private static func regex(_ form: FieldForm) throws -> Regex<AnyRegexOutput> {
        try Regex("^(?:\(form.rule.pattern))$").matchingSemantics(.unicodeScalar)
    }

    @Test("are all tried")
    func all() { #expect(Set(Self.cases.map(\.0)) == Set(FieldForm.allCases)) }
}
