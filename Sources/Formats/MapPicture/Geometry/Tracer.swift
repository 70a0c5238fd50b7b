import Glibc

/// Turns lines of the map into lines of the picture. One that the projection bends is halved until no corner shows.
struct Tracer: Sendable {
    let projection: Projection
    /// What is drawn: the picture and so much around it that no line ends visibly at its edge.
    let room: ScreenBox
    /// The same on the globe.
    let view: MapBox

    /// How far a line may be from where it should be, in points.
    private static let tolerance = 0.2
    private static let deepest = 10
    /// The latitude up to which, and the scale in points for a degree from which on, it is known how much lines bend.
    private static let (lastLatitude, leastPoints) = (80.0, 500.0)
    /// How long a line is that the projection does not bend, in points.
    private let straight: Double

    init(_ projection: Projection, margin: Double) {
        self.projection = projection
        room = projection.frame.grown(by: margin)
        view = projection.box(margin: margin)
        straight = Self.straight(projection)
    }

    /// Of the map's own lines, parallels bend most: by the tangent of their latitude, in parts of the Earth's radius,
    /// and others with what their uneven steps add by less than four times as much. A chord of length d is d²/8 times
    /// that away from its arc.
    private static func straight(_ projection: Projection) -> Double {
        let latitude = abs(projection.centre.latitude)
        guard latitude < lastLatitude, projection.pointsPerDegree > leastPoints else { return 4 }
        let radius = projection.pointsPerDegree * 180 / .pi
        return max(4, (8 * radius * tolerance / (4 * tan(latitude * .pi / 180) + 0.2)).squareRoot())
    }

    /// Whether anything of a shape may be drawn. Of a tile most of it often is not: one is as wide as several pictures.
    func shows(_ shape: MapShape) -> Bool { shape.box.meets(view) }

    /// A ring cut to what is drawn; empty when nothing of it is.
    func ring(_ points: [MapPoint]) -> [ScreenPoint] { room.clipped(ring: line(points)) }

    /// The visible parts of a line.
    func parts(_ points: [MapPoint]) -> [[ScreenPoint]] {
        let line = line(points)
        var (parts, part): ([[ScreenPoint]], [ScreenPoint]) = ([], [])
        for (a, b) in zip(line, line.dropFirst()) {
            let visible = room.isPassed(a, b) ? nil : room.clipped(from: a, to: b)
            if let visible, part.last == visible.0 {
                part.append(visible.1)
            } else {
                if !part.isEmpty { parts.append(part) }
                part = visible.map { [$0.0, $0.1] } ?? []
            }
        }
        return part.isEmpty ? parts : parts + [part]
    }

    private func line(_ points: [MapPoint]) -> [ScreenPoint] {
        guard let first = points.first else { return [] }
        var line: [ScreenPoint] = [projection.point(first)]
        line.reserveCapacity(points.count)
        var before = (first, line[0])
        for point in points.dropFirst() {
            let next = (point, projection.point(point))
            bend(&line, before, next, depth: 0)
            line.append(next.1)
            before = next
        }
        return line
    }

    private func bend(
        _ line: inout [ScreenPoint], _ a: (MapPoint, ScreenPoint), _ b: (MapPoint, ScreenPoint), depth: Int
    ) {
        guard depth < Self.deepest, a.1.distance(to: b.1) > straight, !room.isPassed(a.1, b.1) else { return }
        let point = a.0.middle(to: b.0)
        let middle = (point, projection.point(point))
        guard middle.1.distance(to: a.1.middle(to: b.1)) > Self.tolerance else { return }
        bend(&line, a, middle, depth: depth + 1)
        line.append(middle.1)
        bend(&line, middle, b, depth: depth + 1)
    }
}
