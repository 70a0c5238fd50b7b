internal import Glibc

/// One cell of a fixed grid over the Earth, by which live networks are asked about an area.
///
/// All cells are 364 m high and 364 to 729 m wide: rows of equal latitude, in each of which a cell is a power of two
/// times as wide in degrees as at the equator. At a pole one cell goes all around.
package struct GridCell: Hashable, Comparable, Sendable {
    /// Height of a row in 1e-7 degrees, as a power of two.
    private static let rowBits: Int64 = 15
    /// Width of a cell at the equator; the widest that is needed takes in the full turn.
    private static let columnBits: Int64 = 16
    private static let widestColumnBits: Int64 = 32

    /// From the south pole.
    let row: Int32
    /// From 180° west.
    let column: Int32

    /// Identifies the cell, also in other processes and later.
    package var number: Int64 { Int64(row) << 32 | Int64(column) }

    /// The cell that contains a point.
    package init(of point: Coordinate) {
        row = Self.row(ofLatitude: Int64(point.latitudeE7))
        let bits = Self.columnBits(inRow: row)
        column = Int32((Int64(point.longitudeE7) + Int64(Coordinate.halfTurnE7)) >> bits)
    }

    init(row: Int32, column: Int32) {
        self.row = row
        self.column = column
    }

    /// The cell with its edges; the north and the east one are the next cells'.
    var area: GridArea {
        let south = (Int64(row) << Self.rowBits) - Int64(Coordinate.quarterE7)
        let bits = Self.columnBits(inRow: row)
        let west = (Int64(column) << bits) - Int64(Coordinate.halfTurnE7)
        return GridArea(
            south: south, west: west, north: min(south + (1 << Self.rowBits), Int64(Coordinate.quarterE7)),
            east: min(west + (1 << bits), Int64(Coordinate.halfTurnE7)))
    }

    package static func < (left: Self, right: Self) -> Bool { left.number < right.number }

    /// All cells that contain a point within the radius, and perhaps some that are close.
    package static func covering(_ centre: Coordinate, radiusMetres: Double) -> [GridCell] {
        let box = CircleBounds(centre: centre, radiusMetres: radiusMetres).box
        var cells: [GridCell] = []
        for row in row(ofLatitude: Int64(box.southE7))...row(ofLatitude: Int64(box.northE7)) {
            for columns in columns(of: box, inRow: row) {
                for column in columns {
                    let cell = GridCell(row: row, column: column)
                    if cell.area.leastMetres(from: centre) <= radiusMetres { cells.append(cell) }
                }
            }
        }
        return cells
    }

    private static func row(ofLatitude latitudeE7: Int64) -> Int32 {
        Int32((latitudeE7 + Int64(Coordinate.quarterE7)) >> rowBits)
    }

    private static func columnBits(inRow row: Int32) -> Int64 {
        let south = (Int64(row) << rowBits) - Int64(Coordinate.quarterE7)
        // The edge that is nearer to the equator is the longer one.
        let latitude = south >= 0 ? south : min(0, south + (1 << rowBits))
        let cosine = ArcE7.cosine(ofLatitude: Int32(clamping: latitude))
        var bits = columnBits
        while bits < widestColumnBits, cosine * Double(Int64(1) << (bits - columnBits + 1)) <= 1 { bits += 1 }
        return bits
    }

    private static func columns(of box: Box, inRow row: Int32) -> [ClosedRange<Int32>] {
        let half = Int64(Coordinate.halfTurnE7)
        let bits = columnBits(inRow: row)
        func column(_ longitude: Int64) -> Int32 { Int32((min(longitude, half - 1) + half) >> bits) }
        let (west, east) = (column(Int64(box.westE7)), column(Int64(box.eastE7)))
        guard box.crossesAntimeridian else { return [west...max(west, east)] }
        let last = column(half)
        return west <= east + 1 ? [0...last] : [0...east, west...last]
    }
}
