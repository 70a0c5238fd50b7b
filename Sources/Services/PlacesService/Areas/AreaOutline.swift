import Geo
import PlaceContracts
import VectorTiles

/// The edge of an area as a map of a zoom level draws it. What is left of its shape is where it was.
struct AreaOutline {
    /// Points of an answer; with more the lines get coarser.
    static let mostPoints = 5_000
    /// Points of an edge that are looked at together.
    private static let mostRead = 500_000
    /// How far from its place a line may be drawn, in pixels.
    private static let tolerance = 0.75
    private static let worldPixels = 256.0
    /// The world is so wide, in 1e-7 degrees.
    private static let turn = 3.6e9
    private static let coarsest = 1.0

    /// Each by the steps from point to point, in 1e-6 degrees north and east, the first from zero.
    let lines: [[Int32]]

    init(of area: AreaFilter, zoom: UInt32) {
        var share = Self.tolerance / (Self.worldPixels * Double(UInt64(1) << UInt64(min(zoom, 22))))
        var lines: [[WorldPoint]]?
        while lines == nil, share < Self.coarsest {
            lines = Self.lines(of: area, share)
            share *= 2
        }
        self.lines = (lines ?? []).map(Self.steps)
    }

    /// - Parameter share: how far from its place a line may be, of the width of the world.
    /// - Returns: nil when there are too many points.
    private static func lines(of area: AreaFilter, _ share: Double) -> [[WorldPoint]]? {
        // The map is wider than the Earth far from the equator, so a part of that.
        guard let whole = area.lines(spacing: share * turn / 4, most: mostRead) else { return nil }
        let drawn = whole.map { line in
            line.map { WorldPoint(latitude: Double($0.latitude) / 1e7, longitude: Double($0.longitude) / 1e7) }
        }
        let widths = drawn.map(width)
        // Islands that are no larger than a dot, but for the largest of nothing else.
        let least = min(2 * share, widths.max() ?? 0)
        var lines: [[WorldPoint]] = []
        var left = mostPoints
        for (line, width) in zip(drawn, widths) where width >= least || line.first != line.last {
            let kept = Simplification.simplified(line, tolerance: share)
            left -= kept.count
            guard left >= 0 else { return nil }
            lines.append(kept)
        }
        return lines
    }

    /// The longer side of the box around a line.
    private static func width(_ line: [WorldPoint]) -> Double {
        let (x, y) = (line.map(\.x), line.map(\.y))
        return max((x.max() ?? 0) - (x.min() ?? 0), (y.max() ?? 0) - (y.min() ?? 0))
    }

    private static func steps(_ line: [WorldPoint]) -> [Int32] {
        var (north, east): (Int64, Int64) = (0, 0)
        return line.flatMap { point in
            let (latitude, longitude) = (millionths(point.latitude), millionths(point.longitude))
            defer { (north, east) = (latitude, longitude) }
            return [Int32(clamping: latitude - north), Int32(clamping: longitude - east)]
        }
    }

    private static func millionths(_ degrees: Double) -> Int64 { Int64((degrees * 1e6).rounded()) }
}
