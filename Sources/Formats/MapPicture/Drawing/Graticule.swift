import Glibc

/// Meridians and parallels, some hundred points apart: where nothing else is known, they show where one is.
struct Graticule {
    private static let steps = [30, 20, 10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001, 0.0005]
    /// How far they are apart at least, in points.
    private static let apart = 90.0

    let tracer: Tracer
    let view: MapBox

    func draw(_ pen: Pen) {
        let degree = tracer.projection.pointsPerDegree
        let rows = Self.step { $0 * degree >= Self.apart }
        // Meridians run together at a pole, so there they may be further apart in degrees.
        let furthest = max(abs(view.south), abs(view.north))
        let isAtPole = furthest >= 90
        let narrowing = isAtPole ? 0 : cos(tracer.projection.centre.latitude * .pi / 180)
        let columns = isAtPole ? 30 : Self.step { $0 * degree * narrowing >= Self.apart }
        for latitude in Self.multiples(of: rows, from: max(view.south, -89.9), to: min(view.north, 89.9)) {
            add(pen, from: (view.west, latitude), to: (view.east, latitude))
        }
        // At a pole they all end in one point, which would be a blot.
        let reach = isAtPole ? 90 - rows / 4 : 90
        for longitude in Self.multiples(of: columns, from: view.west, to: view.east) {
            add(pen, from: (longitude, max(view.south, -reach)), to: (longitude, min(view.north, reach)))
        }
        pen.stroke(Palette.graticule, width: 0.8)
        pen.forgetPath()
    }

    private func add(_ pen: Pen, from a: (Double, Double), to b: (Double, Double)) {
        // In pieces that are nearly straight, of which each is bent by itself.
        let pieces = max(1, (max(abs(b.0 - a.0), abs(b.1 - a.1)) / 2).rounded(.up))
        let line = stride(from: 0, through: pieces, by: 1).map { piece in
            let share = piece / pieces
            return MapPoint(
                longitude: a.0 + share * (b.0 - a.0), latitude: a.1 + share * (b.1 - a.1))
        }
        for part in tracer.parts(line) { pen.add(part, isClosed: false) }
    }

    /// The smallest step that is wide enough.
    private static func step(_ isWide: (Double) -> Bool) -> Double { steps.last(where: isWide) ?? steps[0] }

    private static func multiples(of step: Double, from first: Double, to last: Double) -> [Double] {
        stride(from: (first / step).rounded(.up), through: (last / step).rounded(.down), by: 1).map { $0 * step }
    }
}
