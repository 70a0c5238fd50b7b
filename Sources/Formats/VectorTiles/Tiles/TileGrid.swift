/// The units of a tile, in which its features are stored.
struct TileGrid: Sendable {
    let tile: TileID
    /// How many units a tile is wide.
    let extent: UInt32

    /// The last zoom level is drawn larger, and so has finer units.
    init(_ tile: TileID, _ rules: TileRules) {
        self.tile = tile
        extent = tile.zoom == rules.zooms.upperBound ? 2 * rules.extent : rules.extent
    }

    /// A shape in whole units: x, y, x, y of each part. What has become too small is left out, a hole with its area.
    func parts(of shape: TileShape) -> [[Int32]] {
        var parts: [[Int32]] = []
        var hasOuter = false
        for part in shape.parts {
            let units = units(of: part)
            switch shape.kind {
            case .points: parts.append(units)
            case .lines: if units.count >= 4 { parts.append(units) }
            case .areas:
                let isOuter = Rings.area(part) > 0
                let area = Self.doubledArea(units)
                let isThere = units.count >= 6 && (isOuter ? area > 0 : area < 0)
                if isOuter { hasOuter = isThere }
                if isThere, hasOuter { parts.append(units) }
            }
        }
        return parts
    }

    /// Neighbours that fall together are one.
    private func units(of part: [WorldPoint]) -> [Int32] {
        var units: [Int32] = []
        units.reserveCapacity(2 * part.count)
        let size = Double(1 << tile.zoom)
        for point in part {
            let x = unit(point.x * size - Double(tile.x))
            let y = unit(point.y * size - Double(tile.y))
            if units.count >= 2, units[units.count - 2] == x, units[units.count - 1] == y { continue }
            units.append(x)
            units.append(y)
        }
        return units
    }

    /// Of a place in widths of the tile. What is farther away than one has been cut off already.
    private func unit(_ place: Double) -> Int32 {
        Int32((min(max(place, -1), 2) * Double(extent)).rounded())
    }

    /// Positive for a ring that turns like a clock.
    private static func doubledArea(_ ring: [Int32]) -> Int64 {
        guard ring.count >= 6 else { return 0 }
        var (sum, x, y) = (Int64(0), Int64(ring[ring.count - 2]), Int64(ring[ring.count - 1]))
        for index in stride(from: 0, to: ring.count - 1, by: 2) {
            let (nextX, nextY) = (Int64(ring[index]), Int64(ring[index + 1]))
            sum += x * nextY - nextX * y
            (x, y) = (nextX, nextY)
        }
        return sum
    }
}
