/// The cells of a grid that have data, and where it ends in those at its edge. Where points are few, cells are large:
/// half of a village's last cell may lie beyond it.
package struct DataCells {
    private let cells: CoverageGrid
    /// Around the points of each cell that has a neighbour without any.
    private var boxes: [Int: WorldBox?] = [:]

    /// - Parameter cells: without cells around the data. Its points are to be added once more.
    package init(_ cells: CoverageGrid) {
        self.cells = cells
        for index in cells.isCovered.indices where cells.isCovered[index] && !cells.hasAllNeighbours(index) {
            boxes[index] = .some(nil)
        }
    }

    package mutating func add(_ point: WorldPoint) {
        guard let index = cells.index(of: point), let known = boxes[index] else { return }
        boxes[index] = known?.union(point) ?? WorldBox(around: [point])
    }

    /// Whether there is data around a point. Towards a neighbour with data that of a cell does not end.
    package func covers(_ point: WorldPoint) -> Bool {
        guard cells.covers(point), let index = cells.index(of: point) else { return false }
        guard let known = boxes[index] else { return true }
        guard let box = known else { return false }
        return (point.x >= box.west || cells.hasNeighbour(index, -1, 0))
            && (point.x <= box.east || cells.hasNeighbour(index, 1, 0))
            && (point.y >= box.north || cells.hasNeighbour(index, 0, -1))
            && (point.y <= box.south || cells.hasNeighbour(index, 0, 1))
    }
}

extension CoverageGrid {
    /// Whether the cell so many columns and rows beside another one is covered.
    fileprivate func hasNeighbour(_ index: Int, _ columns: Int, _ rows: Int) -> Bool {
        let (column, row) = (index % width + columns, index / width + rows)
        return (0..<width).contains(column) && (0..<height).contains(row) && isCovered[row * width + column]
    }

    fileprivate func hasAllNeighbours(_ index: Int) -> Bool {
        [(-1, 0), (1, 0), (0, -1), (0, 1)].allSatisfy { hasNeighbour(index, $0.0, $0.1) }
    }
}
