/// The place of a coordinate on a Hilbert curve over the plane of longitudes and latitudes.
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
