/// Some cells of the grid, or a part of one, for one request.
package struct GridPatch: Equatable, Sendable {
    /// A patch of this size is not split any further: about 7 m.
    private static let leastUnits: Int64 = 1 << 9

    /// The cells that it lies in.
    package let cells: [GridCell]
    private let areas: [GridArea]
    /// Other cells that its circle contains completely: an answer about the circle makes them known as well. Its parts
    /// have none.
    package var besides: [GridCell] = []

    /// These whole cells; nil for none. Those on both sides of the 180° meridian are neighbours.
    package init?(_ cells: [GridCell]) {
        guard let first = cells.first else { return nil }
        self.cells = cells
        areas = cells.map { $0.area.near(first.area.west) }
    }

    private init(cells: [GridCell], areas: [GridArea]) {
        self.cells = cells
        self.areas = areas
    }

    private var hull: GridArea { areas.dropFirst().reduce(areas[0]) { $0.union($1) } }

    /// The smallest box around it, as one or two boxes.
    package var hullBoxes: [Box] { hull.boxes }

    /// A circle that contains it.
    package var circle: (centre: Coordinate, radiusMetres: Double) { (hull.centre, hull.reachMetres) }

    /// How far its nearest point is, or a little less; 0 inside.
    package func leastMetres(from point: Coordinate) -> Double {
        areas.map { $0.leastMetres(from: point) }.min() ?? 0
    }

    /// The cells that its circle contains completely, besides its own.
    package var heldBesides: [GridCell] {
        let (circle, own) = (circle, Set(cells))
        return GridCell.covering(circle.centre, radiusMetres: circle.radiusMetres).filter { cell in
            !own.contains(cell) && cell.area.maximumMetres(from: circle.centre) <= circle.radiusMetres
        }
    }

    /// About how large its cells are, in square metres.
    package var squareMetres: Double { areas.reduce(0) { $0 + $1.squareMetres } }

    /// Few boxes that cover it exactly: neighbours in a row are joined, and rows that are alike.
    package var boxes: [Box] { Self.stacked(Self.runs(areas)).flatMap(\.boxes) }

    /// Smaller patches that make it up; none when it can't be split.
    package var parts: [GridPatch] {
        guard cells.count > 1 else { return quarters }
        let hull = hull
        let isTall = Double(hull.north - hull.south) > Double(hull.east - hull.west) * cosine
        let order = areas.indices.sorted { left, right in
            let (a, b) = (areas[left], areas[right])
            return isTall ? (a.south, a.west) < (b.south, b.west) : (a.west, a.south) < (b.west, b.south)
        }
        return [order[..<(order.count / 2)], order[(order.count / 2)...]].map { half in
            GridPatch(cells: half.map { cells[$0] }, areas: half.map { areas[$0] })
        }
    }

    private var cosine: Double { ArcE7.cosine(ofLatitude: Int32(clamping: areas[0].south)) }

    private var quarters: [GridPatch] {
        let area = areas[0]
        let (middle, across) = ((area.south + area.north) / 2, (area.west + area.east) / 2)
        guard area.north - area.south > Self.leastUnits else { return [] }
        return [(area.south, middle), (middle, area.north)].flatMap { south, north in
            [(area.west, across), (across, area.east)].map { west, east in
                GridPatch(
                    cells: cells, areas: [GridArea(south: south, west: west, north: north, east: east)])
            }
        }
    }

    private static func runs(_ areas: [GridArea]) -> [GridArea] {
        var runs: [GridArea] = []
        for area in areas.sorted(by: { ($0.south, $0.west) < ($1.south, $1.west) }) {
            if let last = runs.last, last.south == area.south, last.north == area.north, last.east >= area.west {
                runs[runs.count - 1] = last.union(area)
            } else {
                runs.append(area)
            }
        }
        return runs
    }

    private static func stacked(_ runs: [GridArea]) -> [GridArea] {
        var open: [GridArea] = []
        var closed: [GridArea] = []
        for run in runs {
            if let index = open.firstIndex(where: {
                $0.north == run.south && $0.west == run.west && $0.east == run.east
            }) {
                open[index] = open[index].union(run)
            } else {
                closed += open.filter { $0.north < run.south }
                open.removeAll { $0.north < run.south }
                open.append(run)
            }
        }
        return closed + open
    }
}
