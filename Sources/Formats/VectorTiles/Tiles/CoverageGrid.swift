import Glibc

/// Which part of a region a dataset has data of, in cells of a grid: tiles of one zoom level. It is found by the points
/// of the data, and some kilometres larger, so that the map can fade out behind it, where the coarse lines of the world
/// are right again; of a small area less, so that it is not all surroundings. Where points are far apart, cells are
/// large.
package struct CoverageGrid: Sendable {
    /// Cells along the longer side of the points.
    private static let maximum = 512
    /// Points that a cell has, of those that have any.
    private static let pointsPerCell = 8
    /// How far beyond the points it goes, as a share of the Earth's circumference: 3 km; but no more cells than these.
    private static let reach = 3.0 / 40_075
    /// The same as a share of the side of a square that has as many covered cells.
    private static let shareOfReach = 0.3
    private static let cellsOfReach = 2...64

    /// Of the cells.
    package private(set) var zoom: Int
    private(set) var left: Int
    private(set) var top: Int
    private(set) var width: Int
    private(set) var height: Int
    private(set) var isCovered: [Bool]
    private var pointCount = 0
    /// How many covered cells lie above and left of a corner.
    private var sums: [Int32] = []

    /// A grid over a box, without any covered cell.
    package init(box: WorldBox) {
        let side = max(box.east - box.west, box.south - box.north, 1e-9)
        var zoom = TileID.lastZoom
        while zoom > 0, side * Double(1 << zoom) > Double(Self.maximum - 1) { zoom -= 1 }
        let first = TileID(WorldPoint(x: box.west, y: box.north), zoom: zoom)
        let last = TileID(WorldPoint(x: box.east, y: box.south), zoom: zoom)
        self.init(zoom: zoom, first.x..<last.x + 1, first.y..<last.y + 1)
    }

    /// All of the world.
    static let world: CoverageGrid = {
        var world = CoverageGrid(zoom: 0, 0..<1, 0..<1)
        world.isCovered = [true]
        world.count()
        return world
    }()

    init(zoom: Int, _ columns: Range<Int>, _ rows: Range<Int>) {
        self.zoom = zoom
        (left, top, width, height) = (columns.lowerBound, rows.lowerBound, columns.count, rows.count)
        isCovered = Array(repeating: false, count: width * height)
    }

    /// Covers the cell that a point is in.
    package mutating func add(_ point: WorldPoint) {
        pointCount += 1
        let cell = TileID(point, zoom: zoom)
        let (column, row) = (cell.x - left, cell.y - top)
        if (0..<width).contains(column), (0..<height).contains(row) { isCovered[row * width + column] = true }
    }

    /// All points were added: makes cells so large that each has some points.
    package mutating func coarsen() {
        while zoom > 0 {
            let count = isCovered.count(where: \.self)
            guard count > 1, count * Self.pointsPerCell > pointCount else { return }
            rearrange(zoom: zoom - 1, left >> 1..<((left + width + 1) >> 1), top >> 1..<((top + height + 1) >> 1))
        }
    }

    /// All points were added: rounds the area off, and fills its holes.
    /// - Parameter edge: where the data was cut. Only cells that lie well within it stay covered, if there are any.
    package mutating func finish(within edge: WorldBox? = nil) {
        coarsen()
        // A kilometre is wider on the map where that is larger.
        let middle = WorldPoint(x: 0, y: (Double(top) + Double(height) / 2) / Double(1 << zoom))
        let reach = Self.reach / max(cos(middle.latitude * .pi / 180), 0.05) * Double(1 << zoom)
        let share = Double(isCovered.count(where: \.self)).squareRoot() * Self.shareOfReach
        let cells = Int(min(reach, share).rounded(.up)) + 1
        let growth = min(max(cells, Self.cellsOfReach.lowerBound), Self.cellsOfReach.upperBound)
        let margin = growth + 1
        rearrange(zoom: zoom, left - margin..<left + width + margin, top - margin..<top + height + margin)
        spread(growth, true)
        fillHoles()
        spread(1, false)
        if let edge { keep(within: edge) }
        count()
    }

    /// Puts the covered cells into another grid of the same or the next lower zoom level.
    private mutating func rearrange(zoom: Int, _ columns: Range<Int>, _ rows: Range<Int>) {
        var other = CoverageGrid(zoom: zoom, columns, rows)
        other.pointCount = pointCount
        for (index, covered) in isCovered.enumerated() where covered {
            let column = ((left + index % width) >> (self.zoom - zoom)) - other.left
            let row = ((top + index / width) >> (self.zoom - zoom)) - other.top
            other.isCovered[row * other.width + column] = true
        }
        self = other
    }

    private mutating func keep(within edge: WorldBox) {
        let cell = 1 / Double(1 << zoom)
        let kept = isCovered.indices.map { index in
            let (column, row) = (Double(left + index % width), Double(top + index / width))
            // With a cell around it.
            return isCovered[index]
                && edge.contains(
                    WorldBox(
                        west: (column - 1) * cell, north: (row - 1) * cell, east: (column + 2) * cell,
                        south: (row + 2) * cell))
        }
        if kept.contains(true) { isCovered = kept }
    }

    private mutating func count() {
        sums = Array(repeating: 0, count: (width + 1) * (height + 1))
        for row in 0..<height {
            var line: Int32 = 0
            for column in 0..<width {
                line += isCovered[row * width + column] ? 1 : 0
                sums[(row + 1) * (width + 1) + column + 1] = sums[row * (width + 1) + column + 1] + line
            }
        }
    }

    /// The grid as a part of the world.
    package var box: WorldBox {
        let cell = 1 / Double(1 << zoom)
        return WorldBox(
            west: Double(left) * cell, north: Double(top) * cell, east: Double(left + width) * cell,
            south: Double(top + height) * cell)
    }

    /// The smallest box around all covered cells; nil when there is none.
    package var coveredBox: WorldBox? {
        let cell = 1 / Double(1 << zoom)
        return WorldBox(
            around: rows.flatMap { row, columns in
                [(columns.lowerBound, row), (columns.upperBound, row + 1)].map {
                    WorldPoint(x: Double(left + $0.0) * cell, y: Double(top + $0.1) * cell)
                }
            })
    }

    /// Whether a tile has a covered cell, or lies in one.
    func meets(_ tile: TileID) -> Bool {
        let (columns, rows) = cells(of: tile)
        return count(columns, rows) > 0
    }

    /// The covered part of a tile and of what is around it, as rectangles.
    func area(in tile: TileID, margin: Double) -> TileShape {
        let room = tile.box.grown(by: margin / Double(1 << tile.zoom))
        let cell = 1 / Double(1 << zoom)
        let first = Int((room.north / cell).rounded(.down)) - top
        let last = Int((room.south / cell).rounded(.down)) - top
        let boxes = rows(from: max(first, 0), to: min(last + 1, height)).map { row, columns in
            WorldBox(
                west: Double(left + columns.lowerBound) * cell, north: Double(top + row) * cell,
                east: Double(left + columns.upperBound) * cell, south: Double(top + row + 1) * cell)
        }
        return TileShape(.areas, Self.joined(boxes).map(\.ring)).clipped(to: room)
    }

    private typealias Run = (row: Int, columns: Range<Int>)

    private var rows: [Run] { rows(from: 0, to: height) }

    /// The runs of covered cells.
    private func rows(from first: Int, to end: Int) -> [Run] {
        var runs: [Run] = []
        for row in stride(from: first, to: end, by: 1) {
            var start: Int?
            for column in 0...width {
                let covered = column < width && isCovered[row * width + column]
                if covered, start == nil { start = column }
                if !covered, let first = start {
                    runs.append((row, first..<column))
                    start = nil
                }
            }
        }
        return runs
    }

    /// Puts boxes of the same width together that lie below each other.
    private static func joined(_ boxes: [WorldBox]) -> [WorldBox] {
        var found: [WorldBox] = []
        var latest: [Double: Int] = [:]
        for box in boxes {
            if let index = latest[box.west], found[index].east == box.east, found[index].south == box.north {
                found[index].south = box.south
            } else {
                latest[box.west] = found.count
                found.append(box)
            }
        }
        return found
    }

    /// The cells of a tile that are in the grid.
    private func cells(of tile: TileID) -> (columns: Range<Int>, rows: Range<Int>) {
        func range(_ place: Int, _ origin: Int, _ count: Int) -> Range<Int> {
            let (first, end) =
                tile.zoom <= zoom
                ? (place << (zoom - tile.zoom), (place + 1) << (zoom - tile.zoom))
                : (place >> (tile.zoom - zoom), (place >> (tile.zoom - zoom)) + 1)
            let start = min(max(first - origin, 0), count)
            return start..<max(min(end - origin, count), start)
        }
        return (range(tile.x, left, width), range(tile.y, top, height))
    }

    private func count(_ columns: Range<Int>, _ rows: Range<Int>) -> Int32 {
        func sum(_ column: Int, _ row: Int) -> Int32 { sums[row * (width + 1) + column] }
        return sum(columns.upperBound, rows.upperBound) - sum(columns.lowerBound, rows.upperBound)
            - sum(columns.upperBound, rows.lowerBound) + sum(columns.lowerBound, rows.lowerBound)
    }

    /// Lets what is covered, or what is not, grow by so many cells on each side.
    private mutating func spread(_ cells: Int, _ value: Bool) {
        for step in [1, width] {
            let before = isCovered
            for index in before.indices where before[index] == value {
                for distance in 1...cells {
                    for other in [index - distance * step, index + distance * step]
                    where before.indices.contains(other) { isCovered[other] = value }
                }
            }
        }
    }

    /// Covers what is not reached from the edge of the grid.
    private mutating func fillHoles() {
        var isOutside = isCovered.map { _ in false }
        var open = [0]
        while let index = open.popLast() {
            guard !isOutside[index], !isCovered[index] else { continue }
            isOutside[index] = true
            let column = index % width
            for (other, isThere) in [
                (index - 1, column > 0), (index + 1, column < width - 1), (index - width, true), (index + width, true),
            ] where isThere && isCovered.indices.contains(other) { open.append(other) }
        }
        isCovered = isOutside.map { !$0 }
    }
}

extension WorldBox {
    /// Its corners, as an outer ring.
    fileprivate var ring: [WorldPoint] {
        [
            WorldPoint(x: west, y: north), WorldPoint(x: east, y: north), WorldPoint(x: east, y: south),
            WorldPoint(x: west, y: south),
        ]
    }
}
