/// A point on the mean sphere, kept as whole ten-millionths of a degree (about 1.1 cm).
///
/// 180° and -180° are one meridian and are kept as -180°. At a pole every longitude is the same point for
/// distances; the longitude is kept as it was given.
package struct Coordinate: Hashable, Sendable, BitwiseCopyable {
    /// Latitude in 1e-7 degrees, -900 000 000 … 900 000 000.
    package let latitudeE7: Int32
    /// Longitude in 1e-7 degrees, -1 800 000 000 ..< 1 800 000 000.
    package let longitudeE7: Int32

    /// A point from degrees, rounded to 1e-7. Refuses what is outside of -90…90 and -180…180, NaN and infinity.
    package init(latitude: Double, longitude: Double) throws(GeoError) {
        latitudeE7 = try Self.rounded(latitude, limit: 90, field: "latitude")
        longitudeE7 = Self.oneMeridian(try Self.rounded(longitude, limit: 180, field: "longitude"))
    }

    /// A point from 1e-7 degrees. Refuses what is outside of ±900 000 000 and ±1 800 000 000.
    package init(latitudeE7: Int32, longitudeE7: Int32) throws(GeoError) {
        try Self.check(latitudeE7, limit: Self.quarterE7, field: "latitudeE7")
        try Self.check(longitudeE7, limit: Self.halfTurnE7, field: "longitudeE7")
        self.latitudeE7 = latitudeE7
        self.longitudeE7 = Self.oneMeridian(longitudeE7)
    }

    /// Takes values that are known to be in range.
    init(uncheckedLatitudeE7: Int32, longitudeE7: Int32) {
        latitudeE7 = uncheckedLatitudeE7
        self.longitudeE7 = longitudeE7
    }

    /// Degrees, -90…90.
    package var latitude: Double { Double(latitudeE7) / 1e7 }
    /// Degrees, -180 ..< 180.
    package var longitude: Double { Double(longitudeE7) / 1e7 }

    /// The great-circle distance in metres; the same as `Distance.metres(from:to:)`.
    package func metres(to other: Coordinate) -> Double { Distance.metres(from: self, to: other) }

    /// Whether both numbers lie in the stored range; bytes of a damaged file may not.
    var isInRange: Bool {
        latitudeE7.magnitude <= Self.quarterE7.magnitude && longitudeE7.magnitude <= Self.halfTurnE7.magnitude
    }

    static let quarterE7: Int32 = 900_000_000
    static let halfTurnE7: Int32 = 1_800_000_000

    static func rounded(_ degrees: Double, limit: Double, field: String) throws(GeoError) -> Int32 {
        guard degrees.magnitude <= limit else {
            throw .outOfRange(field: field, value: "\(degrees)", allowed: "-\(Int(limit)) to \(Int(limit)) degrees are")
        }
        return Int32((degrees * 1e7).rounded())
    }

    static func oneMeridian(_ longitudeE7: Int32) -> Int32 {
        longitudeE7 == halfTurnE7 ? -halfTurnE7 : longitudeE7
    }

    private static func check(_ value: Int32, limit: Int32, field: String) throws(GeoError) {
        guard value.magnitude <= limit.magnitude else {
            throw .outOfRange(field: field, value: "\(value)", allowed: "-\(limit) to \(limit) are")
        }
    }
}
