import Bytes

/// What the data's licences want to be shown, at the bottom right, in as many lines as it takes.
struct AttributionText {
    private static let style = TextStyle(size: 8.5, ink: Palette.ink)
    private static let lineHeight = 11.5
    /// The share of the picture's width that it may take.
    private static let share = 0.62

    private let lines: [String]
    /// What it covers.
    let box: ScreenBox

    /// Nil where it would take more than a third of a small picture: it stands beside the picture then.
    init?(_ text: String, in frame: ScreenBox, _ pen: Pen) {
        let room = frame.width * Self.share - 12
        var lines: [String] = []
        for word in text.split(at: " ") {
            let longer = lines.last.map { "\($0) \(word)" }
            if let longer, pen.width(longer, size: Self.style.size) <= room {
                lines[lines.count - 1] = longer
            } else {
                lines.append(String(word))
            }
        }
        let width = (lines.map { pen.width($0, size: Self.style.size) }.max() ?? 0) + 12
        let height = Double(lines.count) * Self.lineHeight + 4
        guard !lines.isEmpty, height <= frame.height / 3, width <= frame.width else { return nil }
        self.lines = lines
        box = ScreenBox(
            left: frame.right - width, top: frame.bottom - height, right: frame.right, bottom: frame.bottom)
    }

    func draw(_ pen: Pen) {
        pen.add(box.corners, isClosed: true)
        pen.fill(Palette.veil)
        pen.forgetPath()
        for (index, line) in lines.enumerated() {
            let width = pen.width(line, size: Self.style.size)
            let centre = ScreenPoint(
                x: box.right - 6 - width / 2, y: box.top + 2 + Self.lineHeight * (Double(index) + 0.5))
            pen.write(line, Self.style, centre: centre)
        }
    }
}
