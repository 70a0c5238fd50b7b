import FeatureFiles
import Geo
import PinFiles
import VectorTiles

extension Track {
    /// The zoom level at which every point is drawn.
    static let wholeZoom: UInt32 = 22
    /// How far from its place a line may be drawn, in pixels.
    private static let tolerance = 0.75

    /// The pieces as a map of a zoom level draws them, by the steps from point to point, in 1e-6 degrees: what is left
    /// of a shape is where it was.
    static func drawn(_ parts: [TrackRecord.Part], zoom: UInt32) -> [[Int32]] {
        let pixels = 256 * Double(UInt64(1) << UInt64(min(zoom, wholeZoom)))
        return parts.map { part in
            let line = unrolled(part.positions).map { WorldPoint(latitude: $0.latitude, longitude: $0.longitude) }
            let kept =
                zoom >= wholeZoom ? line : Simplification.simplified(line, tolerance: tolerance / pixels)
            var (north, east): (Int64, Int64) = (0, 0)
            return kept.flatMap { point in
                let (latitude, longitude) = (millionths(point.latitude), millionths(point.longitude))
                defer { (north, east) = (latitude, longitude) }
                return [Int32(clamping: latitude - north), Int32(clamping: longitude - east)]
            }
        }
    }

    private static func millionths(_ degrees: Double) -> Int64 { Int64((degrees * 1e6).rounded()) }

    /// With longitudes that go on beyond 180 degrees, where a line crosses that meridian.
    private static func unrolled(_ part: [Coordinate]) -> [(latitude: Double, longitude: Double)] {
        var turn = 0.0
        var last: Double?
        return part.map { point in
            if let last {
                let step = point.longitude + turn - last
                if step > 180 { turn -= 360 } else if step < -180 { turn += 360 }
            }
            let longitude = point.longitude + turn
            last = longitude
            return (point.latitude, longitude)
        }
    }
}

extension Box {
    /// Whether they have a point in common.
    func meets(_ other: Box) -> Bool {
        let (south, north) = (max(self.south, other.south), min(self.north, other.north))
        guard south <= north else { return false }
        func holds(_ box: Box, _ longitude: Double) -> Bool {
            guard let point = try? Coordinate(latitude: 0, longitude: longitude),
                let turned = try? Box(south: -90, west: box.west, north: 90, east: box.east)
            else { return true }
            return turned.contains(point)
        }
        return holds(self, other.west) || holds(other, west)
    }
}
