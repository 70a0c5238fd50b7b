import FeatureFiles
import Geo

/// Rings of areas as programs write them, made such as all programs read: closed, each point once, outlines
/// counterclockwise and holes clockwise (RFC 7946). What has less than three different points is no ring, and left out
/// with the holes in it; a hole in nothing is an outline. A ring that touches or crosses itself stays as it is: what is
/// inside is decided by how often one leaves it.
enum AreaRings {
    static func parts(_ rings: [TrackRecord.Part]) -> [TrackRecord.Part] {
        var parts: [TrackRecord.Part] = []
        var isOutlineMissing = false
        for ring in rings {
            let points = closed(ring.points)
            let isHole = ring.isHole && (isOutlineMissing || !parts.isEmpty)
            if !isHole { isOutlineMissing = points == nil }
            guard let points, !isHole || !isOutlineMissing else { continue }
            parts.append(
                TrackRecord.Part(isCounterclockwise(points) == isHole ? points.reversed() : points, isHole: isHole))
        }
        return parts
    }

    private static func closed(_ points: [ShapePoint]) -> [ShapePoint]? {
        var ring: [ShapePoint] = []
        // Times say nothing of it.
        for point in points where ring.last?.position != point.position {
            ring.append(ShapePoint(point.position, heightCentimetres: point.heightCentimetres))
        }
        if ring.count > 1, ring.first?.position == ring.last?.position { ring.removeLast() }
        guard let first = ring.first, Set(ring.prefix(1_000).map(\.position)).count >= 3 else { return nil }
        return ring + [first]
    }

    /// By twice the area on a flat map; one that is flat or crosses itself may be either.
    private static func isCounterclockwise(_ ring: [ShapePoint]) -> Bool {
        var (sum, east) = (0.0, 0.0)
        for (from, to) in zip(ring, ring.dropFirst()) {
            var step = to.position.longitude - from.position.longitude
            if step > 180 { step -= 360 } else if step < -180 { step += 360 }
            sum += step * (to.position.latitude + from.position.latitude)
            east += step
        }
        // Around a pole there is no such side.
        return east.magnitude > 180 || sum <= 0
    }
}
