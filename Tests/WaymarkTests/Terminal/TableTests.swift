import Testing

@testable import Terminal
@testable import Waymark

@Suite("Table")
struct TableTests {
    private func table(_ rows: [[Table.Cell]]) -> Table {
        Table(
            columns: [
                .init(title: "FAR", isRight: true), .init(title: "NAME", minimum: 6), .init(title: "NOTE", minimum: 4),
                .init(title: "ID", style: .faint),
            ], rows: rows)
    }

    @Test("aligns by what is seen, not by bytes or letters")
    func wideText() {
        let lines = table([["5 m", "东京塔", "x", "1"], ["12 m", "Ä", "y", "22"], ["7 m", "e\u{301}cole", "z", "3"]])
            .lines(on: .paper())
        #expect(
            lines == [
                " FAR  NAME    NOTE  ID", " 5 m  东京塔  x     1", "12 m  Ä       y     22",
                " 7 m  e\u{301}cole   z     3",
            ])
    }

    @Test("leaves out columns without a text")
    func emptyColumn() {
        #expect(table([["5 m", "A", "", "1"]]).lines(on: .paper()) == ["FAR  NAME  ID", "5 m  A     1"])
    }

    @Test("takes space from the widest shrinking column until the line fits", arguments: [30, 40, 52])
    func narrow(width: Int) {
        let lines = table([["5 m", "A very long name indeed", "a note that is long", "id/12345"]]).lines(
            on: .paper(width: width))
        #expect(lines.allSatisfy { DisplayWidth.of($0) <= width })
        #expect(lines[1].contains("…"))
        #expect(lines[1].hasSuffix("id/12345"))
    }

    @Test("never cuts a column that must stay whole")
    func tooNarrow() {
        let lines = table([["5 m", "A very long name", "note", "id/12345"]]).lines(on: .paper(width: 10))
        #expect(lines[1] == "5 m  A ver…  note  id/12345")
    }

    @Test("colours only where colours may be used")
    func colours() {
        let rows: [[Table.Cell]] = [["5 m", "A", "n", "1"]]
        #expect(!table(rows).lines(on: .paper()).joined().contains("\u{1B}"))
        #expect(table(rows).lines(on: .paper(hasColours: true))[1] == "5 m  A     n     \u{1B}[2m1\u{1B}[0m")
    }

    @Test("lets no name move the cursor or turn the line around")
    func hostileNames() {
        let line = table([["5 m", "a\u{1B}[2Jb\nc\u{202E}d", "n", "1"]]).lines(on: .paper())[1]
        #expect(line == "5 m  a [2Jb c d  n     1")
    }
}

@Suite("Display width")
struct DisplayWidthTests {
    @Test(
        "counts columns",
        arguments: [
            ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("東京", 4), ("한글", 4), ("👍", 2), ("👩‍👧", 2), ("✈️", 2),
            ("ﾊﾝ", 2), ("和平圣会", 8),
        ])
    func widths(text: String, width: Int) { #expect(DisplayWidth.of(text) == width) }

    @Test(
        "cuts at a column, with an ellipsis",
        arguments: [
            ("abcdef", 6, "abcdef"), ("abcdef", 5, "abcd…"), ("東京塔", 5, "東京…"), ("東京塔", 4, "東…"), ("ab", 1, "…"),
            ("ab", 0, ""),
        ])
    func cuts(text: String, limit: Int, cut: String) { #expect(DisplayWidth.cut(text, to: limit) == cut) }
}
