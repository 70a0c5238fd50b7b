import Testing

@testable import Terminal
@testable import Waymark

@Suite("Lines that are redrawn")
struct RedrawnBlockTests {
    @Test("the next lines take the place of the ones before, whether there are more or fewer")
    func redraw() {
        var block = RedrawnBlock()
        let sink = TextSink.paper()
        #expect(block.redrawing(["a", "b"], on: sink) == "\ra\u{1B}[K\n\rb\u{1B}[K\n\u{1B}[J")
        #expect(block.redrawing(["c"], on: sink) == "\u{1B}[2A\rc\u{1B}[K\n\u{1B}[J")
        #expect(block.redrawing([], on: sink) == "\u{1B}[1A\u{1B}[J")
        #expect(block.redrawing(["d"], on: sink) == "\rd\u{1B}[K\n\u{1B}[J")
    }

    @Test("lines that the terminal has no room for are left out")
    func height() {
        var sink = TextSink.paper()
        sink.height = 3
        var block = RedrawnBlock()
        #expect(block.redrawing(["a", "b", "c"], on: sink) == "\ra\u{1B}[K\n\rb\u{1B}[K\n\u{1B}[J")
        #expect(block.redrawing(["d"], on: sink).hasPrefix("\u{1B}[2A"))
    }

    @Test(
        "a line of several styles is cut where the terminal ends",
        arguments: [(20, "red plain"), (9, "red plain"), (8, "red pla…"), (4, "red…"), (3, "re…"), (1, "…")])
    func cut(width: Int, text: String) {
        let line = StyledLine("red ", .red).adding("plain")
        #expect(line.text(on: .paper(width: width)) == text)
    }

    @Test("each part has its own colour, and can do a terminal no harm")
    func styles() {
        let line = StyledLine("a\u{7}", .red).adding("").adding("b")
        #expect(line.text(on: .paper(hasColours: true)) == "\u{1B}[31ma \u{1B}[0mb")
    }
}
