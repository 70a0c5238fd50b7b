/// Cell numbers for tables in SQL: a point's position on the Hilbert curve as a 62-bit whole number, so that an
/// ordinary index over one column finds what is near.
package enum Cell {
    /// The most ranges that `cover` returns.
    package static let maximumRanges = 16

    /// The cell number of a point, 0 ..< 2^62. Neighbours on the ground mostly have close numbers.
    package static func id(of point: Coordinate) -> Int64 { Int64(Hilbert.position(of: point)) }

    /// 1 … 16 sorted, disjoint ranges of cell numbers that contain every point within the radius, and others.
    /// A radius that is not a number or negative counts as 0.
    package static func cover(centre: Coordinate, radiusMetres: Double) -> [ClosedRange<Int64>] {
        cover(CircleBounds(centre: centre, radiusMetres: radiusMetres).box)
    }

    /// 1 … 16 sorted, disjoint ranges of cell numbers that contain every point of the box, and others.
    package static func cover(_ box: Box) -> [ClosedRange<Int64>] { CellCover(box).ranges() }
}

/// The ranges of cells that contain a circle, always the same number of them, so that one statement serves every
/// circle.
package struct CellBounds {
    /// A first and a last cell for each of `Cell.maximumRanges` ranges; those not needed are empty ones.
    package let numbers: [Int64]

    package init(around centre: Coordinate, radiusMetres: Double) {
        let needed = Cell.cover(centre: centre, radiusMetres: radiusMetres).flatMap { [$0.lowerBound, $0.upperBound] }
        let empty: [Int64] = [1, 0]
        numbers = needed + (needed.count / 2..<Cell.maximumRanges).flatMap { _ in empty }
    }
}

/// Covers a box with few ranges of the Hilbert curve: halves the squares that touch it until there are more ranges than
/// wanted, then closes the smallest gaps.
struct CellCover {
    /// A square of the plane: its lower left corner, and its side as a power of two.
    private struct Square {
        let x: UInt32
        let y: UInt32
        let sideBits: UInt32

        var range: ClosedRange<Int64> {
            let inside = (UInt64(1) << UInt64(2 * sideBits)) - 1
            let position = Hilbert.position(x: x, y: y)
            return Int64(position & ~inside)...Int64(position | inside)
        }

        var halves: [Square] {
            let half = UInt32(1) << (sideBits - 1)
            return [(0, 0), (half, 0), (0, half), (half, half)]
                .map { Square(x: x | $0.0, y: y | $0.1, sideBits: sideBits - 1) }
        }
    }

    /// A rectangle of the plane, edges included.
    private struct Rectangle {
        let x: ClosedRange<UInt32>
        let y: ClosedRange<UInt32>

        func touches(_ square: Square) -> Bool {
            let last = (UInt32(1) << square.sideBits) - 1
            return x.overlaps(square.x...(square.x | last)) && y.overlaps(square.y...(square.y | last))
        }

        func holds(_ square: Square) -> Bool {
            let last = (UInt32(1) << square.sideBits) - 1
            return x.contains(square.x) && x.contains(square.x | last)
                && y.contains(square.y) && y.contains(square.y | last)
        }
    }

    private let rectangles: [Rectangle]

    init(_ box: Box) {
        let quarter = Coordinate.quarterE7
        let reachesPole = box.southE7 == -quarter || box.northE7 == quarter
        let half = Coordinate.halfTurnE7
        // A pole belongs to the box whatever longitude it was given with: then the whole belt is taken.
        let spans: [ClosedRange<Int32>] =
            if reachesPole { [-half...half] } else if box.crossesAntimeridian {
                [-half...box.eastE7, box.westE7...half]
            } else if box.eastE7 == half { [-half...(-half), box.westE7...half] } else { [box.westE7...box.eastE7] }
        let low = UInt32(Int64(box.southE7) + Int64(quarter))
        let high = UInt32(Int64(box.northE7) + Int64(quarter))
        rectangles = spans.map { span in
            let west = UInt32((Int64(span.lowerBound) + Int64(half)) >> 1)
            let east = UInt32((Int64(span.upperBound) + Int64(half)) >> 1)
            return Rectangle(x: west...east, y: low...high)
        }
    }

    func ranges() -> [ClosedRange<Int64>] {
        var squares = [Square(x: 0, y: 0, sideBits: UInt32(Hilbert.bits))]
        var ranges = merged(squares)
        while ranges.count <= Cell.maximumRanges, squares.contains(where: canSplit) {
            squares = squares.flatMap { canSplit($0) ? $0.halves.filter(isTouched) : [$0] }
            ranges = merged(squares)
        }
        return closingSmallestGaps(ranges)
    }

    private func isTouched(_ square: Square) -> Bool { rectangles.contains { $0.touches(square) } }

    private func canSplit(_ square: Square) -> Bool {
        square.sideBits > 0 && !rectangles.contains { $0.holds(square) }
    }

    private func merged(_ squares: [Square]) -> [ClosedRange<Int64>] {
        var merged: [ClosedRange<Int64>] = []
        for range in squares.map(\.range).sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = merged.last, last.upperBound + 1 >= range.lowerBound {
                merged[merged.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
            } else {
                merged.append(range)
            }
        }
        return merged
    }

    private func closingSmallestGaps(_ ranges: [ClosedRange<Int64>]) -> [ClosedRange<Int64>] {
        var ranges = ranges
        while ranges.count > Cell.maximumRanges {
            let gaps = (1..<ranges.count).map { (at: $0, size: ranges[$0].lowerBound - ranges[$0 - 1].upperBound) }
            guard let smallest = gaps.min(by: { $0.size < $1.size }) else { break }
            ranges[smallest.at - 1] = ranges[smallest.at - 1].lowerBound...ranges[smallest.at].upperBound
            ranges.remove(at: smallest.at)
        }
        return ranges
    }
}

/// The position of a coordinate on a Hilbert curve over the plane of longitudes and latitudes.
///
/// Both axes have 31 bits: x = (longitude + 180°) in steps of 2e-7°, y = (latitude + 90°) in steps of 1e-7°.
/// Cells of level n are the squares of side 2^(31-n); all points of a cell are neighbours on the curve, so a
/// cell is one range of positions.
enum Hilbert {
    static let bits = 31

    static func position(of point: Coordinate) -> UInt64 {
        let x = UInt32(truncatingIfNeeded: (Int64(point.longitudeE7) + Int64(Coordinate.halfTurnE7)) >> 1)
        let y = UInt32(truncatingIfNeeded: Int64(point.latitudeE7) + Int64(Coordinate.quarterE7))
        return position(x: x, y: y)
    }

    /// Walks from the coarsest square to the finest: two bits of the answer per step, then the square's own
    /// orientation is undone by a swap and a mirror of what is left.
    static func position(x: UInt32, y: UInt32) -> UInt64 {
        var (x, y, position) = (x, y, UInt64(0))
        var bit = UInt32(1) << UInt32(bits - 1)
        while bit > 0 {
            let right = x & bit != 0
            let upper = y & bit != 0
            position = position << 2 | (right ? (upper ? 2 : 3) : (upper ? 1 : 0))
            if !upper {
                if right { (x, y) = (~x, ~y) }
                (x, y) = (y, x)
            }
            bit >>= 1
        }
        return position
    }
}
