import Contracts
import Geo
import Glibc
import MapPicture
import Requests

/// What the picture of the map of a share shows: as wide as the page's column, for a preview as well.
enum SharedMap {
    private static let size = (width: 600, height: 315, scale: 2)
    /// Of the small one (Web/styles/smallmap.css), and its zooms where there are streets and where there are none
    /// (Web/modules/map/smallmap.js).
    private static let smallSize = (width: 212, height: 112)
    private static let smallZooms = (near: 15.0, region: 9.0)
    /// Degrees around a pin, and around pins that are close to each other.
    private static let least = 0.012
    /// Around a pin where no streets are known.
    private static let region = 0.3
    private static let maximum = 170.0
    /// How much of the picture's height pins take at most: their marks need room above them.
    private static let filled = 0.7
    /// Of a great circle.
    private static let metresPerDegree = 111_195.08

    /// - Parameter span: how many degrees the picture's height shows; 0 around a pin, which it has then.
    static func view(around middle: Contracts.Coordinate, span: Double = 0, isDark: Bool = false) -> MapView {
        MapView(
            latitude: middle.latitude, longitude: middle.longitude, span: span > 0 ? min(maximum, span) : least,
            width: size.width, height: size.height, scale: size.scale, pin: span > 0 ? nil : .green,
            isDark: isDark)
    }

    /// The same around a pin where no streets are known; nil around several, whose marks stand where they are.
    static func region(around middle: Contracts.Coordinate, span: Double, isDark: Bool) -> MapView? {
        guard span <= 0 else { return nil }
        return MapView(
            latitude: middle.latitude, longitude: middle.longitude, span: region, width: size.width,
            height: size.height, scale: size.scale, isDark: isDark)
    }

    /// The same of the small picture beside a photo: as close as the small map of the app is, and without a pin.
    static func small(around middle: Contracts.Coordinate, isDark: Bool) -> (near: MapView, region: MapView) {
        func view(_ zoom: Double) -> MapView {
            // As high as the web's map is at that zoom, which shows the less the farther it is from the equator.
            let span = Double(smallSize.height) * 360 / (256 * exp2(zoom)) * max(0.1, cos(middle.latitude * .pi / 180))
            return MapView(
                latitude: middle.latitude, longitude: middle.longitude, span: span, width: smallSize.width,
                height: smallSize.height, scale: size.scale, pin: nil, isDark: isDark)
        }
        return (view(smallZooms.near), view(smallZooms.region))
    }

    /// The middle of pins, and how many degrees show them all; nil without any.
    static func frame(of pins: [Pin]) -> (middle: Contracts.Coordinate, span: Double)? {
        let positions = pins.compactMap { try? Geo.Coordinate($0.position, field: "position") }
        guard let box = Box(around: positions) else { return nil }
        // It may lie across the antimeridian.
        let turn = box.east - box.west + (box.east < box.west ? 360 : 0)
        let longitude = box.west + turn / 2
        let middle = Contracts.Coordinate(
            latitude: (box.south + box.north) / 2, longitude: longitude > 180 ? longitude - 360 : longitude)
        guard let centre = try? Geo.Coordinate(middle, field: "position") else { return nil }
        let reach = positions.map { centre.metres(to: $0) }.max() ?? 0
        let degrees = reach / metresPerDegree
        return (middle, min(maximum, max(least, 2 * degrees / filled)))
    }
}
