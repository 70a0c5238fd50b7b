import Geo

/// The name of a point that has no better one: "60.1699, 24.9384", in degrees to 1e-5 (about a metre).
struct PointName {
    let text: String

    init(_ point: Coordinate) {
        text = "\(Self.degrees(point.latitudeE7)), \(Self.degrees(point.longitudeE7))"
    }

    private static func degrees(_ e7: Int32) -> String {
        let magnitude = (Int64(e7).magnitude + 50) / 100
        let (whole, rest) = magnitude.quotientAndRemainder(dividingBy: 100_000)
        let sign = e7 < 0 && magnitude > 0 ? "-" : ""
        return rest == 0 ? "\(sign)\(whole)" : "\(sign)\(whole).\(fraction(rest))"
    }

    /// Five digits without the zeros at their end.
    private static func fraction(_ rest: UInt64) -> String {
        let digits = String(rest)
        let padded = String(repeating: "0", count: 5 - digits.count) + digits
        return String(padded.prefix(through: padded.lastIndex { $0 != "0" } ?? padded.startIndex))
    }
}
