internal import Bytes
internal import Glibc

/// What the coordinates of a GeoJSON file are measured in, as files of before RFC 7946 say it (in "crs").
enum CoordinateSystem: Equatable {
    case degrees
    /// Metres of the web's maps, EPSG:3857.
    case webMercator

    /// Of the Earth's ellipsoid, in metres (EPSG:7030).
    private static let radius = 6_378_137.0

    /// "urn:ogc:def:crs:EPSG::3857", "EPSG:4326", "urn:ogc:def:crs:OGC:1.3:CRS84"; nil for all others.
    init?(_ name: String) {
        let code = String(name.split(at: ":").last ?? "").asciiLowercased
        switch code {
        case "crs84", "crs84h", "crs83", "4326", "4979", "4258", "4269", "4283": self = .degrees
        case "3857", "900913", "3785", "102100", "102113": self = .webMercator
        default: return nil
        }
    }

    /// A position in degrees east and north.
    func degrees(_ position: [Double]) -> [Double] {
        guard self == .webMercator, position.count >= 2 else { return position }
        let north = 2 * atan(exp(position[1] / Self.radius)) - Double.pi / 2
        return [position[0] / Self.radius * 180 / .pi, north * 180 / .pi] + position.dropFirst(2)
    }
}
