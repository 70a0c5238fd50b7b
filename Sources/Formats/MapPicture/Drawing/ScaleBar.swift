import Glibc

/// A bar of a round length at the bottom left, with its length above it. It is right in the middle of the picture.
struct ScaleBar {
    /// "200 m", "5 km"
    let text: String
    /// Points.
    let length: Double
    private let start: ScreenPoint

    private static let style = TextStyle(size: 9.5, ink: Palette.ink, halo: Palette.halo)
    /// The longest, in points, and the share of the picture's width that it may have.
    private static let longest = 110.0
    private static let share = 0.3

    /// Nil where a picture shows so much of the globe that no scale is right for it, or is too small.
    init?(_ projection: Projection, span: Double) {
        let room = min(Self.longest, projection.frame.width * Self.share)
        guard span <= 60, room >= 30 else { return nil }
        let metres = Self.round(below: room * projection.metresPerPoint)
        text = metres >= 1000 ? "\(Int(metres / 1000)) km" : metres >= 1 ? "\(Int(metres)) m" : "\(metres) m"
        length = metres / projection.metresPerPoint
        start = ScreenPoint(x: 10, y: projection.frame.bottom - 10)
    }

    /// What it covers.
    var box: ScreenBox {
        ScreenBox(left: start.x - 3, top: start.y - 20, right: start.x + max(length, 44) + 3, bottom: start.y + 4)
    }

    func draw(_ pen: Pen) {
        let line = [(0, -5), (0, 0), (length, 0), (length, -5)].map {
            ScreenPoint(x: start.x + $0.0, y: start.y + $0.1)
        }
        for (colour, width) in [(Palette.halo, 3.6), (Palette.ink, 1.4)] {
            pen.add(line, isClosed: false)
            pen.stroke(colour, width: width)
            pen.forgetPath()
        }
        let width = pen.width(text, size: Self.style.size)
        pen.write(text, Self.style, centre: ScreenPoint(x: start.x + 5 + width / 2, y: start.y - 10))
    }

    /// The largest of 1, 2, 5, 10, 20 … that is no more.
    static func round(below metres: Double) -> Double {
        let unit = pow(10, log10(metres).rounded(.down))
        return [5, 2, 1].map { $0 * unit }.first { $0 <= metres } ?? unit
    }
}
