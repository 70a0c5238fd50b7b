import VectorTiles

extension OSMGeometry {
    /// The parts of a line of which the file has the nodes. What leaves an extract and comes back is two; so is what
    /// crosses the antimeridian.
    func lines(_ ids: [Int64]) -> [[WorldPoint]] {
        var lines: [[WorldPoint]] = [[]]
        for id in ids {
            if let point = point(id) {
                lines[lines.count - 1].append(WorldPoint(point))
            } else if lines.last != [] {
                lines.append([])
            }
        }
        if lines.count > 1, ids.first == ids.last, let first = lines.first, first.first == lines.last?.last {
            lines[0] = lines.removeLast() + first.dropFirst()
        }
        return lines.flatMap(Antimeridian.parts)
    }

    /// Nil with a node that the file does not have: its edge is not known.
    func ring(_ ids: [Int64]) -> [WorldPoint]? {
        let points = ids.dropLast().compactMap { point($0).map(WorldPoint.init) }
        return points.count == ids.count - 1 ? points : nil
    }

    /// The centre of gravity of a ring; nil with a node that the file does not have.
    func middle(_ ids: [Int64]) -> GridPoint? {
        let points = ids.dropLast().compactMap(point)
        guard points.count == ids.count - 1, let centre = OSMCentre.ofArea([points]) else { return nil }
        return GridPoint(
            latitude: Int32(clamping: Int64((centre.latitude * 1e7).rounded())),
            longitude: Int32(clamping: Int64((centre.longitude * 1e7).rounded())))
    }
}

extension WorldPoint {
    init(_ point: GridPoint) {
        self.init(latitude: Double(point.latitude) / 1e7, longitude: Double(point.longitude) / 1e7)
    }
}
