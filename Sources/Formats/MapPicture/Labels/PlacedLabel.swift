import Glibc

/// A name with its place in the picture.
struct PlacedLabel: Sendable {
    let text: String
    let style: TextStyle
    let centre: ScreenPoint
    /// Radians, clockwise.
    var angle = 0.0
    /// A dot where the town is.
    var dot: ScreenPoint?
    /// What it covers, its dot as well.
    let box: ScreenBox

    func draw(_ pen: Pen) {
        if let dot {
            pen.add(circle: dot, radius: 2.3)
            pen.fill(Palette.paper)
            pen.stroke(Palette.town, width: 1.3)
            pen.forgetPath()
        }
        pen.write(text, style, centre: centre, angle: angle)
    }
}

extension PlacedLabel {
    /// A level text around a point, without a dot.
    init(_ text: String, _ style: TextStyle, width: Double, centre: ScreenPoint) {
        self.text = text
        self.style = style
        self.centre = centre
        box = ScreenBox(centre: centre, width: width + 2, height: style.size * 1.3)
    }

    /// A text along a line.
    init(_ text: String, _ style: TextStyle, width: Double, centre: ScreenPoint, angle: Double) {
        self.text = text
        self.style = style
        self.centre = centre
        self.angle = angle
        let (across, along) = (abs(cos(angle)), abs(sin(angle)))
        box = ScreenBox(
            centre: centre, width: across * width + along * style.size * 1.3 + 4,
            height: along * width + across * style.size * 1.3 + 2)
    }

    /// A town's name at its dot, on the side that is given: 1, 0 or -1 to the right and down.
    init(town text: String, _ style: TextStyle, width: Double, at dot: ScreenPoint, _ side: (x: Double, y: Double)) {
        self.text = text
        self.style = style
        self.dot = dot
        let gap = side.x == 0 ? style.size * 0.55 + 4.5 : 6
        centre = ScreenPoint(x: dot.x + side.x * (width / 2 + gap), y: dot.y + (side.x == 0 ? side.y * gap : 0))
        box = ScreenBox(centre: centre, width: width + 2, height: style.size * 1.3)
            .union(ScreenBox(centre: dot, width: 7, height: 7))
    }
}
