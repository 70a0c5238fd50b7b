import Testing

@testable import VectorTiles

@Suite("Lines of one thing")
struct JoinedLinesTests {
    @Test("are put together where two meet, whichever way they run, and not at crossings")
    func joined() {
        #expect(JoinedLines.of([[0, 0, 1, 0], [3, 0, 1, 0], [3, 0, 4, 4]]) == [[0, 0, 1, 0, 3, 0, 4, 4]])
        #expect(JoinedLines.of([[1, 0, 2, 0], [0, 0, 1, 0]]) == [[0, 0, 1, 0, 2, 0]])
        let crossing: [[Int32]] = [[0, 0, 1, 0], [1, 0, 2, 0], [1, 0, 1, 5]]
        #expect(JoinedLines.of(crossing) == crossing)
        // A circle in two halves, and one that is whole.
        #expect(JoinedLines.of([[0, 0, 1, 1, 2, 0], [2, 0, 1, -1, 0, 0]]) == [[0, 0, 1, 1, 2, 0, 1, -1, 0, 0]])
        #expect(JoinedLines.of([[0, 0, 1, 1, 0, 0]]) == [[0, 0, 1, 1, 0, 0]])
    }

    @Test("are never turned where their direction is what they say")
    func directed() {
        func directed(_ lines: [[Int32]]) -> [[Int32]] { JoinedLines.of(lines, isDirected: true) }
        #expect(directed([[1, 0, 2, 0], [0, 0, 1, 0], [2, 0, 3, 0]]) == [[0, 0, 1, 0, 2, 0, 3, 0]])
        let opposite: [[Int32]] = [[0, 0, 1, 0], [3, 0, 1, 0], [3, 0, 4, 4]]
        #expect(directed(opposite) == [[0, 0, 1, 0], [3, 0, 1, 0], [3, 0, 4, 4]])
        #expect(directed([[2, 0, 1, -1, 0, 0], [0, 0, 1, 1, 2, 0]]) == [[2, 0, 1, -1, 0, 0, 1, 1, 2, 0]])
    }
}
