/// The regions of the world that a dataset has data of, with a hundred kilometres and more without any between them: a
/// country and its land overseas, or both sides of the antimeridian. One grid over all of them would have cells as
/// large as a county.
package struct DataRegions {
    /// Cells of 156 km at the equator.
    private static let zoom = 8
    /// With more regions than that all are one.
    private static let maximum = 32

    private var cells: CoverageGrid
    /// Around the points of each cell.
    private var boxes: [WorldBox?]
    private var labels: [Int32] = []

    package init() {
        let side = 0..<1 << Self.zoom
        cells = CoverageGrid(zoom: Self.zoom, side, side)
        boxes = Array(repeating: nil, count: side.count * side.count)
    }

    package mutating func add(_ point: WorldPoint) {
        guard let index = cells.index(of: point) else { return }
        cells.add(point)
        boxes[index] = boxes[index]?.union(point) ?? WorldBox(around: [point])
    }

    /// All points were added: the box around the points of each region.
    package mutating func found() -> [WorldBox] {
        var (labels, count) = cells.labelled()
        if count > Self.maximum { (labels, count) = (labels.map { min($0, 0) }, 1) }
        self.labels = labels
        var found: [WorldBox?] = Array(repeating: nil, count: count)
        for (index, label) in labels.enumerated() where label >= 0 {
            guard let own = boxes[index] else { continue }
            found[Int(label)] = found[Int(label)]?.union(own) ?? own
        }
        return found.compactMap(\.self)
    }

    /// Which of the regions found a point that was added is in.
    package func index(of point: WorldPoint) -> Int? {
        guard let cell = cells.index(of: point), labels[cell] >= 0 else { return nil }
        return Int(labels[cell])
    }
}
