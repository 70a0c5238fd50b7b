/// Lines that cross the antimeridian, where x goes back from 1 to 0: such a step would be one around the world.
package enum Antimeridian {
    /// The parts of a line on either side, each to where it crosses. Steps longer than half of the world cross it.
    package static func parts(of line: [WorldPoint]) -> [[WorldPoint]] {
        var (parts, part): ([[WorldPoint]], [WorldPoint]) = ([], [])
        for point in line {
            if let last = part.last, abs(point.x - last.x) > 0.5 {
                let seam = point.x > last.x ? 0.0 : 1.0
                let y = seam == 1 ? crossing(from: last, to: point) : crossing(from: point, to: last)
                if last.x != seam { part.append(WorldPoint(x: seam, y: y)) }
                parts.append(part)
                part = point.x == 1 - seam ? [] : [WorldPoint(x: 1 - seam, y: y)]
            }
            part.append(point)
        }
        return (parts + [part]).filter { $0.count > 1 }
    }

    /// Where a step eastwards crosses; westwards it is the same number to the last bit.
    private static func crossing(from west: WorldPoint, to east: WorldPoint) -> Double {
        let across = east.x + 1 - west.x
        return west.y + (across == 0 ? 0 : (1 - west.x) / across) * (east.y - west.y)
    }
}
