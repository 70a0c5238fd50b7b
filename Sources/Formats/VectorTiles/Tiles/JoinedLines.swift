/// Puts lines of one thing together where one ends and another one begins: a street is many ways, and a name needs room
/// along it.
enum JoinedLines {
    private struct Point: Hashable {
        let x: Int32
        let y: Int32
    }

    /// Lines, x, y, x, y of each, as few as there can be. Where more than two meet, none is put together.
    /// - Parameter isDirected: whether none may be turned.
    static func of(_ lines: [[Int32]], isDirected: Bool = false) -> [[Int32]] {
        var meeting: [Point: [Int]] = [:]
        for (index, line) in lines.enumerated() {
            for end in [first(of: line), last(of: line)] { meeting[end, default: []].append(index) }
        }
        var isUsed = lines.map { _ in false }
        // What goes on at the end of a line, or, when that is turned, what comes before it, turned as well.
        func next(at end: Point, isTurned: Bool) -> [Int32]? {
            guard let both = meeting[end], both.count == 2, let index = both.first(where: { !isUsed[$0] }) else {
                return nil
            }
            let begins = first(of: lines[index]) == end
            guard !isDirected || begins != isTurned else { return nil }
            isUsed[index] = true
            return begins ? lines[index] : reversed(lines[index])
        }
        var joined: [[Int32]] = []
        for index in lines.indices where !isUsed[index] {
            isUsed[index] = true
            var line = lines[index]
            // At its end, then at its beginning.
            for isTurned in [false, true] {
                while let more = next(at: last(of: line), isTurned: isTurned) { line += more.dropFirst(2) }
                line = reversed(line)
            }
            joined.append(line)
        }
        return joined
    }

    private static func first(of line: [Int32]) -> Point { Point(x: line[0], y: line[1]) }

    private static func last(of line: [Int32]) -> Point { Point(x: line[line.count - 2], y: line[line.count - 1]) }

    private static func reversed(_ line: [Int32]) -> [Int32] {
        stride(from: line.count - 2, through: 0, by: -2).flatMap { [line[$0], line[$0 + 1]] }
    }
}
