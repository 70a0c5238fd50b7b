/// A point of a picture, in points from its top left corner.
struct ScreenPoint: Equatable, Sendable {
    var x: Double
    var y: Double

    func middle(to other: ScreenPoint) -> ScreenPoint { ScreenPoint(x: (x + other.x) / 2, y: (y + other.y) / 2) }

    func distance(to other: ScreenPoint) -> Double {
        let (across, down) = (x - other.x, y - other.y)
        return (across * across + down * down).squareRoot()
    }
}

/// A rectangle of a picture, in points.
struct ScreenBox: Equatable, Sendable {
    var left: Double
    var top: Double
    var right: Double
    var bottom: Double

    init(left: Double, top: Double, right: Double, bottom: Double) {
        self.left = left
        self.top = top
        self.right = right
        self.bottom = bottom
    }

    init(centre: ScreenPoint, width: Double, height: Double) {
        self.init(
            left: centre.x - width / 2, top: centre.y - height / 2, right: centre.x + width / 2,
            bottom: centre.y + height / 2)
    }

    /// The smallest one around points; nil without any.
    init?(around points: some Sequence<ScreenPoint>) {
        var iterator = points.makeIterator()
        guard let first = iterator.next() else { return nil }
        self.init(left: first.x, top: first.y, right: first.x, bottom: first.y)
        while let point = iterator.next() {
            left = min(left, point.x)
            right = max(right, point.x)
            top = min(top, point.y)
            bottom = max(bottom, point.y)
        }
    }

    var width: Double { right - left }
    var height: Double { bottom - top }
    var centre: ScreenPoint { ScreenPoint(x: (left + right) / 2, y: (top + bottom) / 2) }

    /// Counterclockwise as one looks at it, which is how outer rings run.
    var corners: [ScreenPoint] {
        [
            ScreenPoint(x: left, y: top), ScreenPoint(x: left, y: bottom), ScreenPoint(x: right, y: bottom),
            ScreenPoint(x: right, y: top),
        ]
    }

    func grown(by margin: Double) -> ScreenBox {
        ScreenBox(left: left - margin, top: top - margin, right: right + margin, bottom: bottom + margin)
    }

    /// Whether they share an area.
    func overlaps(_ other: ScreenBox) -> Bool {
        left < other.right && other.left < right && top < other.bottom && other.top < bottom
    }

    func contains(_ other: ScreenBox) -> Bool {
        left <= other.left && other.right <= right && top <= other.top && other.bottom <= bottom
    }

    func contains(_ point: ScreenPoint) -> Bool {
        left <= point.x && point.x <= right && top <= point.y && point.y <= bottom
    }

    func union(_ other: ScreenBox) -> ScreenBox {
        ScreenBox(
            left: min(left, other.left), top: min(top, other.top), right: max(right, other.right),
            bottom: max(bottom, other.bottom))
    }

    /// Whether two points lie beyond the same side, so that the line between them can't be seen.
    func isPassed(_ a: ScreenPoint, _ b: ScreenPoint) -> Bool {
        a.x < left && b.x < left || a.x > right && b.x > right || a.y < top && b.y < top || a.y > bottom && b.y > bottom
    }
}
