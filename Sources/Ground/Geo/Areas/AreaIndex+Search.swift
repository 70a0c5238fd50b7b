internal import Glibc

extension AreaIndex {
    /// A record, and how far away it is.
    package struct Near: Sendable {
        package let record: UInt32
        package let metres: Double
    }

    /// The areas of some kinds that hold a point, in no order. Of two that share an edge exactly one holds each point
    /// of it.
    package func areas(holding position: Coordinate, _ kinds: Set<AreaKind>) -> [UInt32] {
        let point = AreaPoint(position)
        let wanted = Self.bits(kinds)
        var found: [UInt32] = []
        forEachPiece(meeting: AreaBox([point])) { piece in
            guard Self.isIn(wanted, piece.kind), isInside(piece, point) else { return }
            if let index = found.firstIndex(of: piece.record) {
                found.remove(at: index)
            } else if found.count < Self.mostAtOnePoint {
                found.append(piece.record)
            }
        }
        return found
    }

    /// More areas than any point of the Earth lies in.
    private static let mostAtOnePoint = 256

    /// Whether one area holds a point.
    package func holds(_ record: UInt32, _ position: Coordinate) -> Bool {
        let point = AreaPoint(position)
        var isOdd = false
        forEachPiece(meeting: AreaBox([point])) { piece in
            if piece.record == record, isInside(piece, point) { isOdd.toggle() }
        }
        return isOdd
    }

    /// The nearest of some kinds whose line or edge is at most so far away.
    /// - Parameters:
    ///   - metres: at most five kilometres.
    ///   - isWanted: which records count.
    package func nearest(
        to position: Coordinate, _ kinds: Set<AreaKind>, within metres: Double,
        where isWanted: (UInt32) -> Bool = { _ in true }
    ) -> Near? {
        let wanted = Self.bits(kinds)
        let reach = min(metres, 5000)
        var nearest: Near?
        for (box, longitude) in Self.boxes(around: position, reach) {
            let measure = StepMeasure(latitude: position.latitudeE7, longitude: longitude)
            // What is farther than the nearest one so far is passed over.
            var box = box
            forEachPiece(meeting: box) { piece in
                guard Self.isIn(wanted, piece.kind), piece.box.meets(box), isWanted(piece.record) else { return }
                let distance = distance(to: piece, measure, box)
                guard distance <= reach, distance < nearest?.metres ?? .infinity else { return }
                nearest = Near(record: piece.record, metres: distance)
                box = Self.box(around: position, at: longitude, distance)
            }
        }
        return nearest
    }

    private static func bits(_ kinds: Set<AreaKind>) -> UInt32 { kinds.reduce(0) { $0 | 1 << UInt32($1.rawValue) } }

    @inline(__always)
    private static func isIn(_ bits: UInt32, _ kind: UInt32) -> Bool { kind < 32 && bits >> kind & 1 == 1 }

    /// What lies so far around a point, on both sides of the antimeridian, and the longitude of the point from there.
    private static func boxes(around position: Coordinate, _ metres: Double) -> [(box: AreaBox, longitude: Int64)] {
        let turn = Int64(AreaPoint.halfTurn) * 2
        let wide = width(of: metres, at: position)
        return [0, turn, -turn].compactMap { turned in
            let longitude = Int64(position.longitudeE7) + turned
            guard Double(longitude).magnitude - wide <= Double(AreaPoint.halfTurn) else { return nil }
            return (box(around: position, at: longitude, metres), longitude)
        }
    }

    private static func box(around position: Coordinate, at longitude: Int64, _ metres: Double) -> AreaBox {
        let (up, wide) = (metres / StepMeasure.metresPerUnit, width(of: metres, at: position))
        let (latitude, longitude) = (Double(position.latitudeE7), Double(longitude))
        return AreaBox(
            south: clamped(latitude - up), west: clamped(longitude - wide), north: clamped(latitude + up),
            east: clamped(longitude + wide))
    }

    /// Metres along a parallel, in units of longitude.
    private static func width(of metres: Double, at position: Coordinate) -> Double {
        let narrowing = max(cos(min(89.9, position.latitude.magnitude + 0.1) * .pi / 180), 1e-3)
        return metres / StepMeasure.metresPerUnit / narrowing
    }

    private static func clamped(_ units: Double) -> Int32 {
        Int32(max(-Double(AreaPoint.halfTurn), min(Double(AreaPoint.halfTurn), units.rounded())))
    }
}

// MARK: inside or not

extension AreaIndex {
    /// Whether a way due east from the point crosses the ring an odd number of times.
    private func isInside(_ piece: Piece, _ point: AreaPoint) -> Bool {
        // Most rings are small, and need no list of levels.
        if piece.steps <= AreaLayout.fan { return isOdd(steps: 0..<piece.steps, of: piece, point) }
        let levels = Self.stepLevels(piece.steps)
        return isOdd(piece, levels, levels.count, 0..<(levels.last ?? piece.steps), point)
    }

    /// How many boxes there are on each level around so many steps; none where few steps need none.
    static func stepLevels(_ steps: Int) -> [Int] {
        var levels: [Int] = []
        var count = steps
        while count > AreaLayout.fan {
            count = (count + AreaLayout.fan - 1) / AreaLayout.fan
            levels.append(count)
        }
        return levels
    }

    /// - Parameter level: 0 for steps, 1 for boxes of these, and so on.
    private func isOdd(
        _ piece: Piece, _ levels: [Int], _ level: Int, _ range: Range<Int>, _ point: AreaPoint
    ) -> Bool {
        guard level > 0 else { return isOdd(steps: range, of: piece, point) }
        var first = piece.firstBox
        for below in 0..<level - 1 { first += levels[below] }
        let span = Self.span(level)
        var isOdd = false
        for index in range {
            let box = stepBox(first + index)
            guard box.south <= point.latitude, point.latitude < box.north, point.longitude < box.east else { continue }
            if point.longitude < box.west {
                // Where it begins and ends says all.
                let start = self.point(piece.firstPoint + min(index * span, piece.steps)).latitude
                let end = self.point(piece.firstPoint + min((index + 1) * span, piece.steps)).latitude
                if (start > point.latitude) != (end > point.latitude) { isOdd.toggle() }
                continue
            }
            let below = level == 1 ? piece.steps : levels[level - 2]
            let inner = index * AreaLayout.fan..<max(index * AreaLayout.fan, min((index + 1) * AreaLayout.fan, below))
            if self.isOdd(piece, levels, level - 1, inner, point) { isOdd.toggle() }
        }
        return isOdd
    }

    /// Steps in a box of a level.
    private static func span(_ level: Int) -> Int { (0..<level).reduce(1) { span, _ in span * AreaLayout.fan } }

    /// Products of differences of coordinates fit into 64 bits; those of a damaged file wrap around.
    private func isOdd(steps: Range<Int>, of piece: Piece, _ point: AreaPoint) -> Bool {
        var isOdd = false
        var from = self.point(piece.firstPoint + steps.lowerBound)
        for step in steps {
            let to = self.point(piece.firstPoint + step + 1)
            defer { from = to }
            guard (from.latitude > point.latitude) != (to.latitude > point.latitude) else { continue }
            let rise = Int64(to.latitude) - Int64(from.latitude)
            let left = (Int64(point.longitude) - Int64(from.longitude)) &* rise
            let right = (Int64(point.latitude) - Int64(from.latitude)) &* (Int64(to.longitude) - Int64(from.longitude))
            if rise > 0 ? left < right : left > right { isOdd.toggle() }
        }
        return isOdd
    }
}

// MARK: distances

extension AreaIndex {
    /// How far the nearest step of a piece is that meets the box; infinite without one.
    private func distance(to piece: Piece, _ measure: StepMeasure, _ box: AreaBox) -> Double {
        let levels = piece.steps <= AreaLayout.fan ? [] : Self.stepLevels(piece.steps)
        var least = Double.infinity
        func visit(_ level: Int, _ range: Range<Int>) {
            guard level > 0 else {
                for step in range {
                    let from = point(piece.firstPoint + step)
                    least = min(least, measure.metres(from, point(piece.firstPoint + step + 1)))
                }
                return
            }
            let first = piece.firstBox + levels.prefix(level - 1).reduce(0, +)
            let below = level == 1 ? piece.steps : levels[level - 2]
            for index in range where stepBox(first + index).meets(box) {
                let start = index * AreaLayout.fan
                visit(level - 1, start..<max(start, min(start + AreaLayout.fan, below)))
            }
        }
        visit(levels.count, 0..<(levels.last ?? piece.steps))
        return least
    }
}

/// Distances from a point to steps near it, on the plane that touches the Earth there.
struct StepMeasure {
    /// Metres of 1e-7 degrees along a meridian.
    static let metresPerUnit = Distance.earthRadiusMetres * .pi / 180 / 1e7

    private let latitude: Int64
    private let longitude: Int64
    private let narrowing: Double

    init(latitude: Int32, longitude: Int64) {
        self.latitude = Int64(latitude)
        self.longitude = longitude
        narrowing = cos(Double(latitude) / 1e7 * .pi / 180)
    }

    func metres(_ a: AreaPoint, _ b: AreaPoint) -> Double {
        let (ax, ay) = plane(a)
        let (bx, by) = plane(b)
        let (dx, dy) = (bx - ax, by - ay)
        let length = dx * dx + dy * dy
        let share = length > 0 ? min(1, max(0, -(ax * dx + ay * dy) / length)) : 0
        let (x, y) = (ax + share * dx, ay + share * dy)
        return (x * x + y * y).squareRoot() * Self.metresPerUnit
    }

    private func plane(_ point: AreaPoint) -> (Double, Double) {
        (Double(Int64(point.longitude) - longitude) * narrowing, Double(Int64(point.latitude) - latitude))
    }
}
