// The edges of areas, for drawing them.

extension AreaIndex {
    /// The rings of areas, each with its first point repeated at its end.
    /// - Parameters:
    ///   - spacing: points that are nearer to the one before, in 1e-7 degrees, are passed over; 0 for none.
    ///   - most: how many points there may be.
    /// - Returns: nil when there are more.
    package func rings(of records: Set<UInt32>, spacing: Double, most: Int) -> [[AreaPoint]]? {
        guard let box = box(around: records) else { return [] }
        var rings: [[AreaPoint]] = []
        var left = most
        forEachPiece(meeting: box) { piece in
            guard left >= 0, records.contains(piece.record) else { return }
            let ring = ring(piece, spacing, limit: left)
            left -= ring.count
            rings.append(ring)
        }
        return left >= 0 ? rings : nil
    }

    /// The points of a piece, some more than `limit` at most.
    private func ring(_ piece: Piece, _ spacing: Double, limit: Int) -> [AreaPoint] {
        var last = point(piece.firstPoint)
        var ring = [last]
        let least = spacing * spacing
        for step in 1...piece.steps where ring.count <= limit + 1 {
            let next = point(piece.firstPoint + step)
            let (x, y) = (
                Double(next.longitude) - Double(last.longitude), Double(next.latitude) - Double(last.latitude)
            )
            guard step == piece.steps || x * x + y * y >= least else { continue }
            ring.append(next)
            last = next
        }
        return ring
    }
}

/// Lines around areas.
package enum AreaBorder {
    private struct Step: Hashable {
        let from: AreaPoint
        let to: AreaPoint

        init(_ one: AreaPoint, _ other: AreaPoint) {
            let isTurned = (other.latitude, other.longitude) < (one.latitude, one.longitude)
            (from, to) = isTurned ? (other, one) : (one, other)
        }
    }

    /// What is around all of some areas, by their rings: without edges that two of them share, and without those along
    /// which rings were cut at the antimeridian or led over a pole. A line that is a ring has its first point once more
    /// at its end.
    package static func around(_ rings: [[AreaPoint]]) -> [[AreaPoint]] {
        var counts: [Step: Int] = [:]
        for ring in rings {
            for (from, to) in zip(ring, ring.dropFirst()) { counts[Step(from, to), default: 0] += 1 }
        }
        return rings.flatMap { ring in
            parts(of: ring) { from, to in !isCut(from, to) && !(counts[Step(from, to)] ?? 0).isMultiple(of: 2) }
        }
    }

    /// The parts of a ring of which each step is wanted.
    private static func parts(
        of ring: [AreaPoint], where isWanted: (AreaPoint, AreaPoint) -> Bool
    ) -> [[AreaPoint]] {
        var parts: [[AreaPoint]] = []
        var isOpen = false
        for (from, to) in zip(ring, ring.dropFirst()) {
            guard isWanted(from, to) else {
                isOpen = false
                continue
            }
            if isOpen { parts[parts.count - 1].append(to) } else { parts.append([from, to]) }
            isOpen = true
        }
        // A ring may begin in the middle of a part.
        if parts.count > 1, isOpen, parts[0].first == ring.first, let last = parts.popLast() {
            parts[0] = last + parts[0].dropFirst()
        }
        return parts
    }

    private static func isCut(_ a: AreaPoint, _ b: AreaPoint) -> Bool {
        a.longitude == b.longitude && a.longitude.magnitude == AreaPoint.halfTurn.magnitude
            || a.latitude == b.latitude && a.latitude.magnitude == AreaPoint.quarter.magnitude
    }
}
