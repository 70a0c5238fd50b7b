internal import Glibc

/// A rectangle in 1e-7 degrees. It may reach over the 180° meridian: then its longitudes continue beyond it.
struct GridArea: Hashable {
    var south: Int64
    var west: Int64
    var north: Int64
    var east: Int64

    /// About how large it is, in square metres.
    var squareMetres: Double {
        let radians = ArcE7.radiansPerUnit
        let height = sin(Double(north) * radians) - sin(Double(south) * radians)
        return Distance.earthRadiusMetres * Distance.earthRadiusMetres * height * Double(east - west) * radians
    }

    /// One or two boxes that make it up.
    var boxes: [Box] {
        let half = Int64(Coordinate.halfTurnE7)
        if east - west >= 2 * half { return [box(-half, half)] }
        if west < -half { return [box(west + 2 * half, half), box(-half, east)] }
        if east > half {
            return west >= half
                ? [box(west - 2 * half, east - 2 * half)] : [box(west, half), box(-half, east - 2 * half)]
        }
        return [box(west, east)]
    }

    private func box(_ west: Int64, _ east: Int64) -> Box {
        Box(
            southE7: Int32(clamping: south), westE7: Int32(clamping: west), northE7: Int32(clamping: north),
            eastE7: Int32(clamping: east))
    }

    /// The same area, a full turn further, so that it lies near a meridian.
    func near(_ longitude: Int64) -> GridArea {
        var area = self
        let half = Int64(Coordinate.halfTurnE7)
        if west - longitude >= half { area = shifted(by: -2 * half) }
        if longitude - west > half { area = shifted(by: 2 * half) }
        return area
    }

    private func shifted(by angle: Int64) -> GridArea {
        GridArea(south: south, west: west + angle, north: north, east: east + angle)
    }

    /// The smallest one that holds both.
    func union(_ other: GridArea) -> GridArea {
        GridArea(
            south: min(south, other.south), west: min(west, other.west), north: max(north, other.north),
            east: max(east, other.east))
    }

    /// Its point in the middle.
    var centre: Coordinate { Self.point((south + north) / 2, (west + east) / 2) }

    /// How far its farthest point is from its centre, and a little more.
    var reachMetres: Double { maximumMetres(from: centre) }

    /// How far its farthest point is, and a little more.
    func maximumMetres(from point: Coordinate) -> Double {
        let (width, height) = (east - west, north - south)
        var farthest = 0.0
        // Along the edges, because those of a wide area are farther away in their middle than at their corners.
        for step in 0...8 as ClosedRange<Int64> {
            let (along, up) = (west + width * step / 8, south + height * step / 8)
            for edge in [(south, along), (north, along), (up, west), (up, east)] {
                farthest = max(farthest, point.metres(to: Self.point(edge.0, edge.1)))
            }
        }
        return farthest * 1.01 + 1
    }

    /// How far its nearest point is, or a little less; 0 inside.
    func leastMetres(from point: Coordinate) -> Double {
        let here = near(Int64(point.longitudeE7))
        let (latitude, longitude) = (Int64(point.latitudeE7), Int64(point.longitudeE7))
        let near = min(max(latitude, south), north)
        if here.west <= longitude, longitude <= here.east { return distance(point, near, longitude) }
        return max(0, min(least(point, here.west), least(point, here.east)))
    }

    /// To the nearest point of an edge along a meridian, which is where a great circle meets it at a right angle.
    private func least(_ point: Coordinate, _ longitude: Int64) -> Double {
        let radians = ArcE7.radiansPerUnit
        let apart = Double(longitude - Int64(point.longitudeE7)) * radians
        let foot = atan2(tan(Double(point.latitudeE7) * radians), cos(apart)) / radians
        let inside = foot.isFinite ? min(max(foot, Double(south)), Double(north)) : Double(south)
        return [Int64(inside), south, north].map { distance(point, $0, longitude) }.min() ?? 0
    }

    /// Less than the distance by what rounding may have cost.
    private func distance(_ point: Coordinate, _ latitude: Int64, _ longitude: Int64) -> Double {
        max(0, point.metres(to: Self.point(latitude, longitude)) - 0.1)
    }

    private static func point(_ latitude: Int64, _ longitude: Int64) -> Coordinate {
        let half = Int64(Coordinate.halfTurnE7)
        var turned = longitude
        if turned >= half { turned -= 2 * half }
        if turned < -half { turned += 2 * half }
        return Coordinate(uncheckedLatitudeE7: Int32(clamping: latitude), longitudeE7: Int32(clamping: turned))
    }
}
