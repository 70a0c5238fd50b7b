/// Cell numbers for tables in SQL: a point's place on the Hilbert curve as a 62-bit whole number, so that an
/// ordinary index over one column finds what is near.
package enum Cell {
    /// Most ranges that `cover` gives.
    package static let maximumRanges = 16

    /// The cell number of a point, 0 ..< 2^62. Neighbours on the ground mostly have close numbers.
    package static func id(of point: Coordinate) -> Int64 { Int64(Hilbert.position(of: point)) }

    /// 1 … 16 sorted, disjoint ranges of cell numbers that hold every point within the radius, and others.
    /// A radius that is not a number or negative counts as 0.
    package static func cover(centre: Coordinate, radiusMetres: Double) -> [ClosedRange<Int64>] {
        cover(CircleBounds(centre: centre, radiusMetres: radiusMetres).box)
    }

    /// 1 … 16 sorted, disjoint ranges of cell numbers that hold every point of the box, and others.
    package static func cover(_ box: Box) -> [ClosedRange<Int64>] { CellCover(box).ranges() }
}
