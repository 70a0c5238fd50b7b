/// Which part of the world a dataset has data of: a grid for each of its regions.
package struct TileCoverage: Sendable {
    private let grids: [CoverageGrid]

    /// - Parameter grids: finished; at least one.
    package init(_ grids: [CoverageGrid]) { self.grids = grids }

    /// All of the world.
    package static let world = TileCoverage([CoverageGrid.world])

    /// The smallest box around all covered cells.
    package var box: WorldBox {
        let boxes = grids.map { $0.coveredBox ?? $0.box }
        return boxes.dropFirst().reduce(boxes.first ?? TileID.world.box) { $0.union($1) }
    }

    /// Whether a tile has a covered cell, or lies in one.
    package func meets(_ tile: TileID) -> Bool { grids.contains { $0.meets(tile) } }

    /// Gives the tiles of a zoom level that have a covered cell, one by one: they may be hundreds of millions.
    package func forEachTile(zoom: Int, _ body: (TileID) throws(TileError) -> Void) throws(TileError) {
        var open = [TileID.world]
        while let tile = open.popLast() {
            guard meets(tile) else { continue }
            if tile.zoom == zoom { try body(tile) } else { open += tile.children }
        }
    }

    /// The covered parts of a tile and of what is around it, as rectangles: one shape for each region, since regions
    /// may overlap.
    package func areas(in tile: TileID, margin: Double) -> [TileShape] {
        grids.map { $0.area(in: tile, margin: margin) }.filter { !$0.isEmpty }
    }
}
