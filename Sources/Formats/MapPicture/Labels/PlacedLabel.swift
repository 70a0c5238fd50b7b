import Glibc

/// A name with its place in the picture; or a mark, with a name or without.
struct PlacedLabel: Sendable {
    /// What is drawn at the point that it belongs to.
    enum Sign: Sendable {
        case dot, peak, arrow
        case disc(IconPath, Colour)
        case shield(isMain: Bool)
    }

    let text: String
    /// The text, from above.
    let lines: [String]
    let style: TextStyle
    /// Of the first line.
    let centre: ScreenPoint
    /// Radians, clockwise.
    var angle = 0.0
    var sign: (Sign, at: ScreenPoint)?
    /// What it covers, its sign as well.
    let box: ScreenBox

    private init(
        lines: [String], style: TextStyle, centre: ScreenPoint, angle: Double = 0,
        sign: (Sign, at: ScreenPoint)? = nil, box: ScreenBox
    ) {
        (self.lines, self.style, self.centre, self.angle) = (lines, style, centre, angle)
        (self.sign, self.box) = (sign, box)
        text = lines.joined(separator: " ")
    }

    func draw(_ pen: Pen) {
        if let sign { pen.draw(sign.0, at: sign.at, box, angle) }
        for (index, line) in lines.enumerated() {
            let below = Double(index) * style.leading
            pen.write(line, style, centre: ScreenPoint(x: centre.x, y: centre.y + below), angle: angle)
        }
    }
}

extension PlacedLabel {
    /// Half of a shield's height, and the room beside its text.
    static let shield = (reach: 7.0, side: 4.0)
    private static let disc = 8.5

    /// A level text around a point, without a sign.
    init(_ text: String, _ style: TextStyle, width: Double, centre: ScreenPoint) {
        let box = ScreenBox(centre: centre, width: width + 2, height: style.size * 1.3)
        self.init(lines: [text], style: style, centre: centre, box: box)
    }

    /// A text along a line.
    init(_ text: String, _ style: TextStyle, width: Double, centre: ScreenPoint, angle: Double) {
        let (across, along) = (abs(cos(angle)), abs(sin(angle)))
        let box = ScreenBox(
            centre: centre, width: across * width + along * style.size * 1.3 + 4,
            height: along * width + across * style.size * 1.3 + 2)
        self.init(lines: [text], style: style, centre: centre, angle: angle, box: box)
    }

    /// A town's name at its dot, on the side that is given: 1, 0 or -1 to the right and down.
    init(town text: String, _ style: TextStyle, width: Double, at dot: ScreenPoint, _ side: (x: Double, y: Double)) {
        let centre = ScreenPoint(
            x: dot.x + side.x * (width / 2 + 6), y: dot.y + side.y * (style.size * 0.55 + 4.5))
        let box = ScreenBox(centre: centre, width: width + 2, height: style.size * 1.3)
            .union(ScreenBox(centre: dot, width: 7, height: 7))
        self.init(lines: [text], style: style, centre: centre, sign: (.dot, dot), box: box)
    }

    /// A number of a road.
    init(shield text: String, isMain: Bool, _ style: TextStyle, width: Double, centre: ScreenPoint) {
        let box = ScreenBox(centre: centre, width: width + 2 * Self.shield.side, height: 2 * Self.shield.reach)
        self.init(lines: [text], style: style, centre: centre, sign: (.shield(isMain: isMain), centre), box: box)
    }

    /// An arrow in the direction of a street.
    init(arrowAt centre: ScreenPoint, angle: Double) {
        self.init(
            lines: [], style: TextStyle(size: 0, ink: Palette.arrow), centre: centre, angle: angle,
            sign: (.arrow, centre), box: ScreenBox(centre: centre, width: 12, height: 12))
    }

    /// A disc or a peak with its name below it; without lines it stands alone.
    init(_ sign: Sign, _ lines: [String], _ style: TextStyle, width: Double, at point: ScreenPoint) {
        let below = if case .peak = sign { 12.0 } else { 17.0 }
        var box = ScreenBox(centre: point, width: 2 * Self.disc + 2, height: 2 * Self.disc + 2)
        if !lines.isEmpty {
            let height = style.size * 1.3 + Double(lines.count - 1) * style.leading
            let middle = ScreenPoint(x: point.x, y: point.y + below + Double(lines.count - 1) * style.leading / 2)
            box = box.union(ScreenBox(centre: middle, width: width + 2, height: height))
        }
        self.init(
            lines: lines, style: style, centre: ScreenPoint(x: point.x, y: point.y + below), sign: (sign, point),
            box: box)
    }
}

extension Pen {
    /// Of the disc of a mark, and of the drawing in it.
    private static let disc = (radius: 8.5, drawing: 11.0)

    fileprivate func draw(_ sign: PlacedLabel.Sign, at point: ScreenPoint, _ box: ScreenBox, _ angle: Double) {
        switch sign {
        case .dot:
            add(circle: point, radius: 2.3)
            fill(Palette.paper)
            stroke(Palette.town, width: 1.3)
        case .peak:
            let corners = [(0, -4.5), (4.5, 3.5), (-4.5, 3.5)]
            add(corners.map { ScreenPoint(x: point.x + $0.0, y: point.y + $0.1) }, isClosed: true)
            stroke(Palette.halo, width: 2.5)
            fill(Palette.mark("peak"))
        case .arrow:
            at(point, angle: angle) {
                add([ScreenPoint(x: -5, y: 0), ScreenPoint(x: 4, y: 0)], isClosed: false)
                add([(1.2, -2.6), (4.4, 0), (1.2, 2.6)].map { ScreenPoint(x: $0.0, y: $0.1) }, isClosed: false)
                stroke(Palette.arrow, width: 1.3)
            }
        case .disc(let icon, let tint):
            add(circle: point, radius: Self.disc.radius)
            fill(tint)
            stroke(Palette.disc, width: 1.5)
            forgetPath()
            at(point, scale: Self.disc.drawing / 24) {
                add(icon)
                stroke(Palette.disc, width: 2.4)
            }
        case .shield(let isMain):
            add(rounded: box, radius: 3)
            fill(isMain ? Palette.mainShield : Palette.shield)
            stroke(isMain ? Palette.disc : Palette.shieldEdge, width: 1)
        }
        forgetPath()
    }

    /// Around a point that is in its middle.
    private func add(_ icon: IconPath) {
        func placed(_ point: ScreenPoint) -> ScreenPoint { ScreenPoint(x: point.x - 12, y: point.y - 12) }
        for step in icon.steps {
            switch step {
            case .move(let to): move(to: placed(to))
            case .line(let to): line(to: placed(to))
            case .curve(let first, let second, let end): add(curveTo: placed(end), placed(first), placed(second))
            case .close: close()
            }
        }
    }

    private func add(rounded box: ScreenBox, radius: Double) {
        let inner = box.grown(by: -radius)
        func round(_ from: (x: Double, y: Double), _ corner: ScreenPoint, _ to: (x: Double, y: Double)) {
            line(to: ScreenPoint(x: from.x, y: from.y))
            add(curveTo: ScreenPoint(x: to.x, y: to.y), corner, corner)
        }
        let corners = box.corners
        move(to: ScreenPoint(x: box.left, y: inner.top))
        round((box.left, inner.top), corners[0], (inner.left, box.top))
        round((inner.right, box.top), corners[3], (box.right, inner.top))
        round((box.right, inner.bottom), corners[2], (inner.right, box.bottom))
        round((inner.left, box.bottom), corners[1], (box.left, inner.bottom))
        close()
    }
}
