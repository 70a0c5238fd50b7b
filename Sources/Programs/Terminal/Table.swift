/// Rows of cells under titles, aligned by display width.
package struct Table: Sendable {
    package struct Column: Sendable {
        package let title: String
        package var isRight = false
        /// How narrow it may become when the line is too long; nil when its cells must stay whole.
        package var minimum: Int?
        /// Which columns are left out first when the line is too long all the same: the highest; nil for never.
        package var rank: Int?
        package var style = Style.plain

        package init(
            title: String, isRight: Bool = false, minimum: Int? = nil, rank: Int? = nil, style: Style = .plain
        ) {
            self.title = title
            self.isRight = isRight
            self.minimum = minimum
            self.rank = rank
            self.style = style
        }
    }

    package struct Cell: Sendable, ExpressibleByStringInterpolation {
        package let text: String
        /// Overrides the column's.
        package let style: Style?

        package init(_ text: String, _ style: Style? = nil) {
            self.text = text.printable
            self.style = style
        }

        package init(stringLiteral value: String) { self.init(value) }
    }

    package let columns: [Column]
    package var rows: [[Cell]] = []

    package init(columns: [Column], rows: [[Cell]] = []) {
        self.columns = columns
        self.rows = rows
    }

    private static let gap = "  "

    /// Its lines as they look on `sink`. Columns without a single text are left out.
    package func lines(on sink: TextSink) -> [String] {
        let used = fitting(columns.indices.filter { column in rows.contains { !$0[column].text.isEmpty } }, sink.width)
        let widths = widths(of: used, limit: sink.width)
        let titles = used.map { Cell(columns[$0].title, .faint) }
        return ([titles] + rows.map { row in used.map { row[$0] } }).map { cells in
            line(cells, columns: used.map { columns[$0] }, widths, sink)
        }
    }

    private func line(_ cells: [Cell], columns: [Column], _ widths: [Int], _ sink: TextSink) -> String {
        var line = ""
        for (index, cell) in cells.enumerated() {
            let text = DisplayWidth.cut(cell.text, to: widths[index])
            let space = String(repeating: " ", count: widths[index] - DisplayWidth.of(text))
            let painted = (cell.style ?? columns[index].style).paint(text, on: sink)
            let isLast = index == cells.count - 1
            line += columns[index].isRight ? space + painted : painted + (isLast ? "" : space)
            if !isLast { line += Self.gap }
        }
        return String(String.UnicodeScalarView(line.unicodeScalars.reversed().drop { $0 == " " }.reversed()))
    }

    /// The columns without those for which a line has no room, however narrow they become.
    private func fitting(_ used: [Int], _ limit: Int?) -> [Int] {
        var used = used
        while let limit {
            let least = used.reduce(Self.gap.count * max(0, used.count - 1)) { sum, column in
                sum + min(natural(column), columns[column].minimum ?? .max)
            }
            let last = used.filter { columns[$0].rank != nil }.max { columns[$0].rank ?? 0 < columns[$1].rank ?? 0 }
            guard least > limit, let last else { break }
            used.removeAll { $0 == last }
        }
        return used
    }

    private func natural(_ column: Int) -> Int {
        max(DisplayWidth.of(columns[column].title), rows.map { DisplayWidth.of($0[column].text) }.max() ?? 0)
    }

    /// Natural widths, taken back from the widest shrinking columns until the line fits.
    private func widths(of used: [Int], limit: Int?) -> [Int] {
        var widths = used.map(natural)
        guard let limit else { return widths }
        var excess = widths.reduce(0, +) + Self.gap.count * max(0, used.count - 1) - limit
        while excess > 0 {
            let shrinkable = used.indices.filter { widths[$0] > columns[used[$0]].minimum ?? .max }
            guard let widest = shrinkable.max(by: { widths[$0] < widths[$1] }) else { break }
            widths[widest] -= 1
            excess -= 1
        }
        return widths
    }
}
