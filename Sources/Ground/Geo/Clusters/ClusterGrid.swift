internal import Glibc

/// The squares that a map is divided into for counting: 2^level × 2^level of the world in Web Mercator (EPSG:3857), as
/// tiles are. They lie where they lie whatever is looked at, so that a map that moves keeps its clusters.
struct ClusterGrid {
    /// The highest level; its squares are some metres wide.
    static let levels = 0...22
    /// No more squares than this are counted at once.
    private static let maximumSquares: Int64 = 16_384
    /// How many levels the squares are finer than the tiles of the same zoom: a quarter of 256 pixels.
    private static let finer = 2

    let level: Int
    /// The column of the box's west edge; columns are counted eastwards from there.
    private let firstColumn: Int64
    let columns: Int
    private let firstRow: Int64
    let rows: Int
    /// The southern edges of the rows in 1e-7 degrees, from north to south; a row's own edge belongs to the next one.
    private let edges: [Int32]

    /// The squares of a box: as fine as a map of this zoom wants them, or coarser when there would be too many.
    init(_ box: Box, zoom: Int) {
        var level = min(max(zoom, 0) + Self.finer, Self.levels.upperBound)
        var range = Self.range(of: box, level)
        while level > 0, range.columns * range.rows > Self.maximumSquares {
            level -= 1
            range = Self.range(of: box, level)
        }
        self.level = level
        (firstColumn, firstRow) = (range.column, range.row)
        (columns, rows) = (Int(range.columns), Int(range.rows))
        edges = (0..<rows).map { Self.southernEdge(ofRow: range.row + Int64($0), level) }
    }

    /// The square of a point of the box.
    func square(of point: Coordinate) -> Int { row(of: point.latitudeE7) * columns + column(of: point.longitudeE7) }

    /// The one square that a node of a tree lies in; nil when it lies in several.
    func square(of node: BlockBounds) -> Int? {
        let (row, column) = (self.row(of: node.north), self.column(of: node.west))
        guard row == self.row(of: node.south), column == self.column(of: node.east) else { return nil }
        return row * columns + column
    }

    /// Where the square lies that has four of these, in a grid one level coarser, counted from the world's corner.
    func parent(ofSquare square: Int, by levels: Int) -> (row: Int64, column: Int64) {
        let column = (firstColumn + Int64(square % columns)) % (1 << Int64(level))
        return ((firstRow + Int64(square / columns)) >> Int64(levels), column >> Int64(levels))
    }

    private func column(of longitudeE7: Int32) -> Int {
        let world = Int64(1) << Int64(level)
        let column = (Self.column(of: longitudeE7, level) - firstColumn + world) % world
        return min(Int(column), columns - 1)
    }

    private func row(of latitudeE7: Int32) -> Int {
        var (low, high) = (0, rows - 1)
        while low < high {
            let middle = (low + high) / 2
            if edges[middle] < latitudeE7 { high = middle } else { low = middle + 1 }
        }
        return low
    }

    private static func range(
        of box: Box, _ level: Int
    ) -> (column: Int64, columns: Int64, row: Int64, rows: Int64) {
        let world = Int64(1) << Int64(level)
        let west = column(of: box.westE7, level)
        let east = (column(of: box.westE7, level, beyond: box.widthE7))
        let (north, south) = (row(of: box.northE7, level), row(of: box.southE7, level))
        return (west, min(east - west + 1, world), north, south - north + 1)
    }

    private static func column(of longitudeE7: Int32, _ level: Int, beyond widthE7: Int64 = 0) -> Int64 {
        let fromWest = Int64(longitudeE7) + Int64(Coordinate.halfTurnE7) + widthE7
        return (fromWest << Int64(level)) / ArcE7.fullTurn
    }

    /// Rows are counted from the north; a point on an edge is in the row south of it.
    private static func row(of latitudeE7: Int32, _ level: Int) -> Int64 {
        let sine = sin(Double(latitudeE7) * ArcE7.radiansPerUnit)
        let world = Double(Int64(1) << Int64(level))
        // Poles are infinitely far away.
        guard sine.magnitude < 1 else { return sine > 0 ? 0 : Int64(world) - 1 }
        let row = (0.5 - atanh(sine) / (2 * Double.pi)) * world
        var found = Int64(min(max(row, 0), world - 1))
        // The edges decide, not this row's rounding.
        while found > 0, latitudeE7 > southernEdge(ofRow: found - 1, level) { found -= 1 }
        while found < Int64(world) - 1, latitudeE7 <= southernEdge(ofRow: found, level) { found += 1 }
        return found
    }

    private static func southernEdge(ofRow row: Int64, _ level: Int) -> Int32 {
        let world = Int64(1) << Int64(level)
        guard row + 1 < world else { return -Coordinate.quarterE7 - 1 }
        let y = Double.pi * (1 - 2 * Double(row + 1) / Double(world))
        return Int32((atan(sinh(y)) / ArcE7.radiansPerUnit).rounded())
    }
}
