import FeatureFiles
import TestTools
import Testing

@testable import PlacesService

@Suite("P13 Tables")
struct DelimitedTextTests {
    /// What a text is cut into: lines with their fields, and "!" before a line that is broken.
    private func cut(_ text: [UInt8], quotes: Bool = true, size: Int = .max) throws -> [String] {
        var table = try DelimitedText(TextPieces(text, size: size), separators: [UInt8(ascii: ",")], hasQuotes: quotes)
        var lines: [String] = []
        while let event = try table.next() {
            switch event {
            case .broken(let line, let problem): lines.append("!\(line) \(problem)")
            case .record(let line):
                let fields = try table.fields.indices.map { try table.text($0) }
                lines.append("\(line)|" + fields.joined(separator: "|"))
            }
        }
        return lines
    }

    private func cut(_ text: String, quotes: Bool = true, size: Int = .max) throws -> [String] {
        try cut(Array(text.utf8), quotes: quotes, size: size)
    }

    @Test("are cut the same however the bytes arrive", arguments: [1, 2, 3, 7, 64, 1 << 20])
    func pieces(size: Int) throws {
        let text = "\u{feff}a,b\r\n\"x \"\"y\"\"\",\"1\n2\"\r\n\n,\n\"\",z\n\"open\",q\"q\r\nlast,é"
        let expected = ["1|a|b", "2|x \"y\"|1\n2", "5||", "6||z", "7|open|q\"q", "8|last|é"]
        #expect(try cut(text, size: size) == expected)
        #expect(try cut(text + "\n", size: size) == expected)
        #expect(try cut(text + "\r\n\r\n", size: size) == expected)
    }

    @Test("keep quotes as they are where there is no quoting")
    func plain() throws {
        #expect(try cut("\"a,b\"\n\"", quotes: false) == ["1|\"a|b\"", "2|\""])
    }

    @Test("lose only the row with a stray quote", arguments: [1, 5, 1 << 20])
    func brokenQuotes(size: Int) throws {
        #expect(
            try cut("a\n\"b\"c\nd\n", size: size) == ["1|a", "!2 field 1 continues after its closing quote", "3|d"])
        #expect(try cut("a\nx,\"b\nd\n", size: size) == ["1|a", "!2 field 2 has no closing quote", "3|d"])
        #expect(try cut("\"", size: size) == ["!1 field 1 has no closing quote"])
        #expect(try cut("a,\"b\"\rc\nd", size: size) == ["!1 field 2 continues after its closing quote", "2|d"])
    }

    @Test("lose only the row that is too long, quoted or not", arguments: ["", "\""])
    func longRows(quote: String) throws {
        let long = String(repeating: "x", count: 3 << 20)
        let lines = try cut("a\n\(quote)\(long)\(quote)\nb\n\(quote)\(long)")
        #expect(
            lines == ["1|a", "!2 the row is longer than 262144 bytes", "3|b", "!4 the row is longer than 262144 bytes"])
    }

    @Test("give every field back, whatever it holds")
    func randomTables() throws {
        var numbers = SeededGenerator(seed: 5)
        for _ in 0..<300 {
            let rows = (0..<Int.random(in: 1...6, using: &numbers)).map { _ in
                (0..<Int.random(in: 2...5, using: &numbers)).map { _ in
                    String(
                        (0..<Int.random(in: 0...6, using: &numbers)).map { _ in numbers.one(of: Array("a\",\n\r;é ")) })
                }
            }
            let text = rows.map { $0.map { "\"\($0.replacing("\"", with: "\"\""))\"" }.joined(separator: ",") + "\r\n" }
                .joined()
            let fields = try cut(text, size: Int.random(in: 1...40, using: &numbers)).map {
                $0.drop { $0 != "|" }.dropFirst()
            }
            #expect(fields.map(String.init) == rows.map { $0.joined(separator: "|") })
        }
    }

    @Test("survive any bytes")
    func randomBytes() throws {
        var numbers = SeededGenerator(seed: 6)
        for _ in 0..<500 {
            let bytes = (0..<200).map { _ in numbers.one(of: Array("\"\",,\n\n\r\tab\u{ff}".utf8) + [0xff, 0]) }
            var table = try DelimitedText(
                TextPieces(bytes, size: Int.random(in: 1...50, using: &numbers)), separators: [UInt8(ascii: ",")],
                hasQuotes: true)
            var count = 0
            while try table.next() != nil { count += 1 }
            #expect(count <= 200)
        }
    }

    @Test("take numbers as the standard library reads them, and nothing that is none")
    func decimals() {
        var numbers = SeededGenerator(seed: 9)
        func parse(_ text: String) -> Double? { DecimalNumber.parse(Array(text.utf8).span) }
        for _ in 0..<5000 {
            let text =
                numbers.chance(0.5)
                ? "\(Double.random(in: -180...180, using: &numbers))"
                : "\(numbers.next() % 1_000_000_000).\(numbers.next() % 100_000_000)"
            #expect(parse(text) == Double(text), "\(text)")
        }
        for text in ["1", "+1.5", "-0.0", "1e3", " 7 ", "007", ".5", "5.", "0.1234567890123456789"] {
            #expect(parse(text) == Double(text.filter { $0 != " " }), "\(text)")
        }
        for text in [
            "", " ", "-", ".", "1,5", "nan", "inf", "0x1p3", "1e999", "1 2", "--1", "1.2.3", "é",
            String(repeating: "1", count: 65),
        ] {
            #expect(parse(text) == nil, "\(text)")
        }
    }
}
