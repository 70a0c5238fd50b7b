import Geo
import Glibc

/// The direction in which a camera looked, and how wide its picture is.
struct CameraView: Equatable, Sendable {
    /// Whole degrees clockwise from north, 0 to 359.
    let heading: Int
    /// Whole degrees from the left edge of the picture to the right, 1 to 180.
    let angle: Int

    /// That of a phone's or a compact camera's picture, for those that don't say it.
    static let usualAngle = 60
    /// Of a place that is nearer the direction says nothing: positions are not that exact.
    private static let leastMetres = 3.0

    /// Nil when the numbers are none of a flat picture.
    init?(heading: Double, angle: Double?) {
        let angle = angle ?? Double(Self.usualAngle)
        guard heading.isFinite, heading.magnitude <= 720, angle >= 1, angle <= 180 else { return nil }
        let turn = Int(heading.rounded()) % 360
        self.heading = turn < 0 ? turn + 360 : turn
        self.angle = Int(angle.rounded())
    }

    /// Whether a camera at a point looks at another.
    func sees(_ point: Coordinate, from camera: Coordinate, metres: Double) -> Bool {
        guard metres >= Self.leastMetres else { return false }
        let turn = (camera.bearing(to: point) - Double(heading)).truncatingRemainder(dividingBy: 360)
        let off = min(abs(turn), 360 - abs(turn))
        return off <= Double(angle) / 2
    }
}

extension Coordinate {
    /// The direction of another point, in degrees clockwise from north, -180 to 180: the initial bearing of the great
    /// circle.
    fileprivate func bearing(to other: Coordinate) -> Double {
        let radians = Double.pi / 180
        let (from, to) = (latitude * radians, other.latitude * radians)
        let turn = (other.longitude - longitude) * radians
        let east = sin(turn) * cos(to)
        let north = cos(from) * sin(to) - sin(from) * cos(to) * cos(turn)
        return atan2(east, north) / radians
    }
}
