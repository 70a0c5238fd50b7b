import Files
import TestTools
import Testing

@testable import PlacesService

@Suite("P15 The gazetteer's file")
struct GazetteerTests {
    /// A folder of bundled tables with one country, one region and two towns.
    private func tables(_ folder: TemporaryFolder, otherName: String = "Stadi") throws -> String {
        let path = folder.path + "/Data"
        let extent = "60\t25\t59\t20\t70\t31"
        let files = [
            "names/countries":
                "code\tname\tlat\tlon\tsouth\twest\tnorth\teast\tpopulation\tcodes\tnames\n"
                + "FI\tFinland\t\(extent)\t5000000\tFI|FIN\tSuomi\n",
            "names/regions":
                "country\tadmin1\tname\tlat\tlon\tsouth\twest\tnorth\teast\tpopulation\tcodes\tnames\n"
                + "FI\t01\tUusimaa\t\(extent)\t1700000\t\tNyland\n",
            // The last name begins with a mark.
            "names/towns": "id\tnames\n658225\t\(otherName)|Helsingfors|\u{DD9}\u{D9A}\n",
            "towns/towns":
                "id\tname\tlat\tlon\tcountry\tadmin1\tpopulation\n"
                + "658225\tHelsinki\t60.16952\t24.93545\tFI\t01\t658864\n"
                + "660129\tEspoo\t60.2052\t24.6522\tFI\t01\t\n",
        ]
        for name in ["names", "towns"] { try DiskFile.makeFolder("\(path)/\(name)") }
        for (name, text) in files { try WholeFile.write(Gzip.pack(Array(text.utf8)), to: "\(path)/\(name).tsv.gz") }
        return path
    }

    private func names(_ text: String, in gazetteer: Gazetteer) -> [String] {
        let question = GeocodeQuestion(words: QueryWords(text), limit: 10)
        return GazetteerSearch(gazetteer: gazetteer, question: question).matches().map {
            gazetteer.text($0.record.name)
        }
    }

    @Test("is made once, and anew when a table changes or the file is damaged anywhere")
    func editions() throws {
        let folder = TemporaryFolder()
        let data = try tables(folder)
        let path = folder.path + "/gazetteer"
        let first = try GazetteerFile.open(path, bundled: data)
        #expect(first.count == 4 && names("stadi, nyland, suomi", in: first) == ["Helsinki"])
        #expect(names("Helsingfors", in: first) == ["Helsinki"] && names("\u{DD9}\u{D9A}", in: first) == ["Helsinki"])
        let made = try WholeFile.bytes(path)
        for index in stride(from: 0, to: made.count, by: 7) {
            var damaged = made
            damaged[index] ^= 0x40
            try WholeFile.write(damaged, to: path)
            #expect(names("Helsingfors", in: try GazetteerFile.open(path, bundled: data)) == ["Helsinki"])
            #expect(try WholeFile.bytes(path) == made)
        }
        for length in [0, 7, 63, 400, made.count - 1] {
            try WholeFile.write(Array(made[..<length]), to: path)
            #expect(try GazetteerFile.open(path, bundled: data).count == 4)
        }
        let changed = try GazetteerFile.open(path, bundled: try tables(folder, otherName: "Hesa"))
        #expect(names("Hesa", in: changed) == ["Helsinki"] && names("Stadi", in: changed) == [])
    }

    @Test("tables that are missing or broken are an error, and no file is made")
    func broken() throws {
        let folder = TemporaryFolder()
        let path = folder.path + "/gazetteer"
        #expect(throws: PlacesError.self) { try GazetteerFile.open(path, bundled: folder.path) }
        let data = try tables(folder)
        try WholeFile.write(Gzip.pack(Array("id\tname\n1\n".utf8)), to: "\(data)/towns/towns.tsv.gz")
        #expect(throws: PlacesError.self) { try GazetteerFile.open(path, bundled: data) }
        #expect(try !DiskFile.exists(path))
    }

    @Test("any text gives an answer and no trap")
    func anyText() throws {
        let gazetteer = try BundledGazetteer.open()
        var numbers = SeededGenerator(seed: 15)
        let pieces = [
            "a", "us", "US", " ", ",", "paris", "東京", "é", "\u{301}", "1", "22", "-", "\u{0}", "🗼", "नि", "st", "usa",
        ]
        #if DEBUG
            let count = 200
        #else
            let count = 2000
        #endif
        for _ in 0..<count {
            let text = (0..<Int.random(in: 0...30, using: &numbers)).map { _ in
                pieces.randomElement(using: &numbers) ?? ""
            }
            _ = names(text.joined(), in: gazetteer)
            _ = names(text.joined(separator: " "), in: gazetteer)
        }
        for piece in pieces { #expect(names(String(repeating: piece, count: 1 << 20), in: gazetteer).count <= 10) }
        #expect(names(String(repeating: "us ", count: 16), in: gazetteer) == [])
    }
}

@Suite("P15 Typing mistakes")
struct TypingMistakesTests {
    static let cases: [(String, String, Int?)] = [
        ("", "", 0), ("a", "b", 1), ("", "ab", 2), ("helsinki", "helsinki", 0), ("helsnki", "helsinki", 1),
        ("heslinki", "helsinki", 1), ("helsinkk", "helsinki", 1), ("hlesnki", "helsinki", 2),
        ("hexxxnki", "helsinki", nil),
        ("abcdef", "x", nil), ("estonian", "estonia", nil), ("estoni", "estonia", 1),
    ]

    @Test("are counted, up to two", arguments: cases.indices)
    func changes(index: Int) {
        let (a, b, expected) = Self.cases[index]
        let found = Array(b.utf8).withUnsafeBytes { TypingMistakes.changes(Array(a.utf8), $0, maximum: 2) }
        #expect(found == expected)
    }
}
