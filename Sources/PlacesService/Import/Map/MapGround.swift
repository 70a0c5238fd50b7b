import VectorTiles

/// What a file has data of, and the sea there.
struct MapGround {
    let coverage: TileCoverage
    /// What was cut out of the world, if the file says so.
    private let edge: WorldBox?
    /// The cells that have nodes.
    private let data: TileCoverage

    /// Nil without nodes.
    /// - Parameter extract: what the file says was cut out.
    init?(_ nodes: borrowing NodeTable, extract: WorldBox?) {
        var box: WorldBox?
        var insideCount = 0
        nodes.forEach { node in
            let point = WorldPoint(node)
            box = box.map { $0.union(point) } ?? WorldBox(around: [point])
            if extract?.contains(point) ?? false { insideCount += 1 }
        }
        guard let box else { return nil }
        // Ways that go on beyond the edge have some nodes there; of another file's box hardly one is inside.
        edge = insideCount > nodes.count / 4 ? extract : nil
        var coverage = TileCoverage(box: box)
        nodes.forEach { coverage.add(WorldPoint($0)) }
        coverage.coarsen()
        data = coverage
        coverage.finish(within: edge)
        self.coverage = coverage
    }

    /// The sea at lines of coast. It is closed well outside of what has data, so that its straight edges are not seen.
    /// Parts of the data that no coast passes by may be land or sea: nothing is said of them.
    /// - Parameter nodes: those of the file once more.
    func sea(_ lines: [[WorldPoint]], _ nodes: borrowing NodeTable) -> [TileShape] {
        guard !lines.isEmpty else { return [] }
        var known = DataCells(data)
        nodes.forEach { known.add(WorldPoint($0)) }
        let box = coverage.box
        let surroundings = max(box.east - box.west, box.south - box.north) / 4
        let room = edge ?? box.grown(by: surroundings)
        var coast = Coast(in: room, ledOnBy: edge == nil ? 0 : surroundings, hasData: known.covers)
        for line in lines { coast.add(line) }
        let sea = TileShape(.areas, coast.sea())
        guard !sea.isEmpty, let parts = coverage.parts(near: lines) else { return [sea] }
        return parts.map(sea.clipped)
    }
}
