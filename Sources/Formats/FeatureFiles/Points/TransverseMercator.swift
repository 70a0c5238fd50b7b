import Geo
import Glibc

/// Metres of UTM and degrees: the transverse Mercator projection of WGS 84 in a zone of six degrees, as a series in the
/// third flattening to its fourth power (C. F. F. Karney, Transverse Mercator with an accuracy of a few nanometers,
/// 2011, equations 11, 15 and 36; the latitude by the series of his paper on auxiliary latitudes, 2022). Within a zone
/// it is exact to a millimetre.
enum TransverseMercator {
    private static let radiusMetres = 6_378_137.0
    private static let flattening = 1 / 298.257_223_563
    private static let scale = 0.9996
    private static let falseEasting = 500_000.0
    /// Of the southern half.
    static let falseNorthing = 10_000_000.0

    private static let n = flattening / (2 - flattening)
    /// A quarter of a meridian, by what is a right angle.
    private static let meridian = radiusMetres / (1 + n) * (1 + n * n / 4 + n * n * n * n / 64)
    private static let toSphere = [
        n * (1.0 / 2 + n * (-2.0 / 3 + n * (37.0 / 96 + n * (-1.0 / 360)))),
        n * n * (1.0 / 48 + n * (1.0 / 15 + n * (-437.0 / 1440))),
        n * n * n * (17.0 / 480 + n * (-37.0 / 840)),
        n * n * n * n * (4397.0 / 161_280),
    ]
    private static let toGeographic = [
        n * (2 + n * (-2.0 / 3 + n * (-2 + n * (116.0 / 45)))),
        n * n * (7.0 / 3 + n * (-8.0 / 5 + n * (-227.0 / 45))),
        n * n * n * (56.0 / 15 + n * (-136.0 / 35)),
        n * n * n * n * (4279.0 / 630),
    ]

    /// The point of a zone, 1 to 60; metres to the north are counted from the equator, and are below 0 south of it.
    /// Nil for one that is far outside of its zone, or beyond 84 degrees north and 80 south, where UTM ends.
    static func point(zone: Int, easting: Double, northing: Double) -> Geo.Coordinate? {
        guard (100_000..<1_000_000).contains(easting), (-9_000_000..<9_400_000).contains(northing) else { return nil }
        let (north, east) = (northing / (scale * meridian), (easting - falseEasting) / (scale * meridian))
        var (a, b) = (north, east)
        for (index, factor) in toSphere.enumerated() {
            let multiple = 2 * Double(index + 1)
            a -= factor * sin(multiple * north) * cosh(multiple * east)
            b -= factor * cos(multiple * north) * sinh(multiple * east)
        }
        let conformal = asin(sin(a) / cosh(b))
        var latitude = conformal
        for (index, factor) in toGeographic.enumerated() { latitude += factor * sin(2 * Double(index + 1) * conformal) }
        let longitude = atan2(sinh(b), cos(a)) * 180 / .pi + Double(zone * 6 - 183)
        let degrees = latitude * 180 / .pi
        guard (-80.5...84.5).contains(degrees) else { return nil }
        let inRange = longitude < -180 ? longitude + 360 : longitude > 180 ? longitude - 360 : longitude
        return try? Geo.Coordinate(latitude: degrees, longitude: inRange)
    }
}
