import VectorTiles

/// What a file has data of, and the sea there.
struct MapGround {
    let coverage: TileCoverage
    private let regions: DataRegions
    private let grounds: [RegionGround]

    /// Nil without nodes.
    /// - Parameter extract: what the file says was cut out.
    init?(_ nodes: borrowing NodeTable, extract: WorldBox?) {
        var regions = DataRegions()
        var insideCount = 0
        nodes.forEach { node in
            let point = WorldPoint(node)
            regions.add(point)
            if extract?.contains(point) ?? false { insideCount += 1 }
        }
        var grids = regions.found().map { CoverageGrid(box: $0) }
        guard !grids.isEmpty else { return nil }
        nodes.forEach { node in
            let point = WorldPoint(node)
            if let index = regions.index(of: point) { grids[index].add(point) }
        }
        // Ways that go on beyond the edge have some nodes there; of another file's box hardly one is inside.
        let edge = insideCount > nodes.count / 4 ? extract : nil
        grounds = grids.map { RegionGround($0, edge: edge, isAlone: grids.count == 1) }
        self.regions = regions
        coverage = TileCoverage(grounds.map(\.coverage))
    }

    /// The sea at lines of coast.
    /// - Parameter nodes: those of the file once more.
    func sea(_ lines: [[WorldPoint]], _ nodes: borrowing NodeTable) -> [TileShape] {
        guard !lines.isEmpty else { return [] }
        var known = grounds.map(\.cells)
        nodes.forEach { node in
            let point = WorldPoint(node)
            if let index = regions.index(of: point) { known[index].add(point) }
        }
        return zip(grounds, known).flatMap { $0.sea(lines, $1) }
    }
}

/// A region of it.
private struct RegionGround {
    let coverage: CoverageGrid
    /// Those that have nodes, which are to be added.
    let cells: DataCells
    /// Where its coasts are put together.
    private let room: WorldBox
    /// How far the water goes on beyond it, so that its straight end is not seen, in widths of the world.
    private let beyond: Double

    /// - Parameters:
    ///   - data: the cells that have nodes.
    ///   - edge: what was cut out of the world, if that is known.
    ///   - isAlone: whether there is no other region. Else the room is not all that was cut out, whose edge is far from
    ///     where its own coasts end.
    init(_ data: CoverageGrid, edge: WorldBox?, isAlone: Bool) {
        var coverage = data
        coverage.coarsen()
        cells = DataCells(coverage)
        coverage.finish(within: edge?.openAtAntimeridian)
        self.coverage = coverage
        let box = coverage.box
        // Without a known edge the sea is closed well outside of what has data.
        let surroundings = max(box.east - box.west, box.south - box.north) / 4
        let own = box.grown(by: surroundings).common(TileID.world.box)
        room = edge.map { isAlone ? $0 : own.common($0) } ?? own
        beyond = surroundings
    }

    /// Parts of the data that no coast passes by may be land or sea: nothing is said of them.
    func sea(_ lines: [[WorldPoint]], _ known: DataCells) -> [TileShape] {
        let near = lines.filter { WorldBox(around: $0)?.meets(room) ?? false }
        guard !near.isEmpty, room.west < room.east, room.north < room.south else { return [] }
        var coast = Coast(in: room, ledOnBy: beyond, hasData: known.covers)
        for line in near { coast.add(line) }
        let sea = TileShape(.areas, coast.sea())
        guard !sea.isEmpty, let parts = coverage.parts(near: near) else { return [sea] }
        return parts.map(sea.clipped)
    }
}

extension WorldBox {
    /// Nothing lies beyond the antimeridian that could have been cut off: what is there begins again at the other side.
    fileprivate var openAtAntimeridian: WorldBox {
        WorldBox(west: west <= 0 ? -1 : west, north: north, east: east >= 1 ? 2 : east, south: south)
    }
}
