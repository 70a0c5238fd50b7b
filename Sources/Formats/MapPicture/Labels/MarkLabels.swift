import Bytes

/// Named things at a point: peaks, stations, museums, cafés; and numbers of houses.
struct MarkLabels {
    /// Those of so many of the first classes come before the names of streets.
    private static let first = 8
    /// The first level with numbers of houses, and with marks whose name has no room.
    private static let closeFrom = 17
    private static let longestLine = 16

    let styles: MapStyles
    let level: Int

    func place(_ points: [(shape: MapShape, point: ScreenPoint)], _ placing: inout LabelPlacing, isFirst: Bool) {
        let byKind = Dictionary(grouping: points, by: \.shape.kind)
        for mark in isFirst ? styles.marks.prefix(Self.first) : styles.marks.dropFirst(Self.first)
        where mark.from <= level {
            for (shape, point) in byKind[mark.name] ?? [] where !shape.name.isEmpty {
                place(shape, mark, at: point, &placing)
            }
        }
    }

    private func place(
        _ shape: MapShape, _ mark: MapStyles.Mark, at point: ScreenPoint, _ placing: inout LabelPlacing
    ) {
        let ink = Palette.mark(mark.tint)
        let style = TextStyle(size: 9, ink: ink, halo: Palette.halo, leading: 11)
        var (sign, lines) = (PlacedLabel.Sign.peak, Self.lines(shape.name))
        if let icon = mark.icon {
            guard let path = styles.icons[icon].flatMap(IconPath.init) else { return }
            sign = .disc(path, ink)
        } else {
            lines = [shape.name]
            if let height = shape.facts.height, abs(height) < 10_000 { lines.append("\(Int(height.rounded())) m") }
        }
        let width = lines.map { placing.pen.width($0, size: style.size) }.max() ?? 0
        if placing.take(PlacedLabel(sign, lines, style, width: width, at: point), name: shape.name) { return }
        if level >= Self.closeFrom { placing.take(PlacedLabel(sign, [], style, width: 0, at: point), name: shape.name) }
    }

    func placeNumbers(_ points: [(shape: MapShape, point: ScreenPoint)], _ placing: inout LabelPlacing) {
        guard level >= Self.closeFrom else { return }
        let style = TextStyle(size: 8, ink: Palette.number, halo: Palette.halo)
        for (shape, point) in points { placing.write(shape.name, style, at: point, isAlone: false) }
    }

    /// In two lines, broken at the blank nearest to the middle, when it is long.
    private static func lines(_ text: String) -> [String] {
        let words = text.split(at: " ").map(String.init)
        guard text.unicodeScalars.count > longestLine, words.count > 1 else { return [text] }
        func upper(_ count: Int) -> String { words[..<count].joined(separator: " ") }
        func away(_ count: Int) -> Int { abs(2 * upper(count).unicodeScalars.count - text.unicodeScalars.count) }
        let count = (1..<words.count).min { away($0) < away($1) } ?? 1
        return [upper(count), words[count...].joined(separator: " ")]
    }
}
