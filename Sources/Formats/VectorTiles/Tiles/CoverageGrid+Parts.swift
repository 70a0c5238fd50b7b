extension CoverageGrid {
    /// How many cells lines may lie beside a part, and how long a step may be, in cells.
    private static let (nearness, longestStep) = (2, 64)

    /// Whether the cell that a point is in is covered.
    package func covers(_ point: WorldPoint) -> Bool { index(of: point).map { isCovered[$0] } ?? false }

    /// Boxes around the covered parts that lines pass by; nil when there is no other part. Cells that touch are one
    /// part.
    package func parts(near lines: [[WorldPoint]]) -> [WorldBox]? {
        let (labels, count) = labelled()
        var isNear = Array(repeating: false, count: count)
        var latest: Int?
        for line in lines {
            forEachCell(along: line) { index in
                guard index != latest else { return }
                latest = index
                for other in surroundings(of: index) where labels[other] >= 0 { isNear[Int(labels[other])] = true }
            }
        }
        guard isNear.contains(false) else { return nil }
        var boxes: [WorldBox?] = Array(repeating: nil, count: count)
        for (index, label) in labels.enumerated() where label >= 0 && isNear[Int(label)] {
            let (own, known) = (box(ofCell: index), boxes[Int(label)])
            boxes[Int(label)] = known?.union(own) ?? own
        }
        return Self.united(boxes.compactMap(\.self))
    }

    private var cell: Double { 1 / Double(1 << zoom) }

    /// The cell that a point is in; nil outside of the grid.
    func index(of point: WorldPoint) -> Int? {
        let place = TileID(point, zoom: zoom)
        let (column, row) = (place.x - left, place.y - top)
        return (0..<width).contains(column) && (0..<height).contains(row) ? row * width + column : nil
    }

    /// With a cell around it.
    private func box(ofCell index: Int) -> WorldBox {
        let (column, row) = (Double(left + index % width), Double(top + index / width))
        return WorldBox(
            west: (column - 1) * cell, north: (row - 1) * cell, east: (column + 2) * cell, south: (row + 2) * cell)
    }

    private func surroundings(of index: Int) -> [Int] {
        let (column, row) = (index % width, index / width)
        let rows = max(0, row - Self.nearness)...min(height - 1, row + Self.nearness)
        let columns = max(0, column - Self.nearness)...min(width - 1, column + Self.nearness)
        return rows.flatMap { row in columns.map { row * width + $0 } }
    }

    /// The number of the part that each cell belongs to; -1 for none. Cells that touch are one part.
    func labelled() -> (labels: [Int32], count: Int) {
        var labels = Array(repeating: Int32(-1), count: isCovered.count)
        var count = 0
        for start in isCovered.indices where isCovered[start] && labels[start] < 0 {
            labels[start] = Int32(count)
            var open = [start]
            while let index = open.popLast() {
                let (column, row) = (index % width, index / width)
                for row in max(0, row - 1)...min(height - 1, row + 1) {
                    for column in max(0, column - 1)...min(width - 1, column + 1) {
                        let other = row * width + column
                        guard isCovered[other], labels[other] < 0 else { continue }
                        labels[other] = Int32(count)
                        open.append(other)
                    }
                }
            }
            count += 1
        }
        return (labels, count)
    }

    private func forEachCell(along line: [WorldPoint], _ body: (Int) -> Void) {
        guard var before = line.first else { return }
        for point in line {
            let reach = max(abs(point.x - before.x), abs(point.y - before.y)) / cell
            let steps = max(1, Int(min(reach, Double(Self.longestStep)).rounded(.up)))
            for step in 1...steps {
                let share = Double(step) / Double(steps)
                let place = WorldPoint(
                    x: before.x + share * (point.x - before.x), y: before.y + share * (point.y - before.y))
                if let index = index(of: place) { body(index) }
            }
            before = point
        }
    }

    /// Those that meet as one.
    private static func united(_ boxes: [WorldBox]) -> [WorldBox] {
        var found: [WorldBox] = []
        for var box in boxes {
            while let index = found.firstIndex(where: { $0.meets(box) }) { box = box.union(found.remove(at: index)) }
            found.append(box)
        }
        return found
    }
}
