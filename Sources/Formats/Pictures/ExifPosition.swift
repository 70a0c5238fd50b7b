import CExif
import PictureCalls

/// The position recorded by a camera: degrees, minutes and seconds as fractions, and a letter for the half of the Earth
/// (Exif 2.32, 4.6.6). Cameras also write fewer parts, signs, or numbers as text.
enum ExifPosition {
    private static let units = 60.0
    /// Digits of a text of degrees, with all that is between them.
    private static let longestText = 64

    /// One of the two angles.
    private struct Angle {
        let tag: Int32
        let letterTag: Int32
        let plus: Unicode.Scalar
        let minus: Unicode.Scalar
        let limit: Double
        let name: String
    }

    private static let latitude = Angle(
        tag: EXIF_TAG_GPS_LATITUDE, letterTag: EXIF_TAG_GPS_LATITUDE_REF, plus: "N", minus: "S", limit: 90,
        name: "latitude")
    private static let longitude = Angle(
        tag: EXIF_TAG_GPS_LONGITUDE, letterTag: EXIF_TAG_GPS_LONGITUDE_REF, plus: "E", minus: "W", limit: 180,
        name: "longitude")

    /// Refuses a position that is missing, incomplete or impossible.
    static func read(_ tags: borrowing ExifTags) throws(PictureProblem) -> NotedPosition {
        guard let north = try parts(of: latitude, tags), let east = try parts(of: longitude, tags) else {
            throw .noPosition
        }
        let position = NotedPosition(
            latitude: try degrees(north, latitude, tags), longitude: try degrees(east, longitude, tags))
        // What cameras write that have no fix.
        if position.isNowhere { throw .noPosition }
        return position
    }

    /// Degrees, minutes and seconds; nil when there are none.
    private static func parts(of angle: Angle, _ tags: borrowing ExifTags) throws(PictureProblem) -> [Double]? {
        if let fractions = tags.positionFractions(angle.tag) { return try parts(fractions, angle.name) }
        return tags.positionText(angle.tag).map { numbers(in: $0.prefix(longestText)) }
    }

    /// A last part of 0/0 is one that the camera does not know.
    private static func parts(_ fractions: [(Int64, Int64)], _ name: String) throws(PictureProblem) -> [Double] {
        guard fractions.count == 3 else {
            throw .badPosition("its \(name) has \(fractions.count) parts instead of 3")
        }
        let known = fractions.last?.1 == 0 ? fractions.dropLast() : fractions[...]
        guard known.allSatisfy({ $0.1 != 0 }) else { throw .badPosition("its \(name) divides by zero") }
        return known.map { Double($0.0) / Double($0.1) }
    }

    /// "60, 10, 11.64" or "-60.1699".
    private static func numbers(in bytes: ArraySlice<UInt8>) -> [Double] {
        bytes.split { !isOfNumber($0) }.compactMap { Double(String(decoding: $0, as: UTF8.self)) }
    }

    private static func isOfNumber(_ byte: UInt8) -> Bool {
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-")
    }

    private static func degrees(
        _ parts: [Double], _ angle: Angle, _ tags: borrowing ExifTags
    ) throws(PictureProblem) -> Double {
        guard let whole = parts.first, parts.count <= 3 else {
            throw .badPosition("its \(angle.name) has \(parts.count) numbers")
        }
        let smaller = parts.dropFirst()
        let degrees = zip(parts, [1, units, units * units]).reduce(0) { $0 + abs($1.0) / $1.1 }
        guard degrees <= angle.limit, smaller.allSatisfy({ abs($0) <= units }) else {
            throw .badPosition("its \(angle.name) is \(parts.map { "\($0)" }.joined(separator: " "))")
        }
        // "-0" too.
        let isNegative = whole.sign == .minus
        // Some programs write it small, or behind a blank.
        let letter = tags.positionText(angle.letterTag)?.first { $0 > 0x20 }.map { Unicode.Scalar($0 & ~0x20) }
        if letter == angle.minus || isNegative { return -degrees }
        if letter == angle.plus { return degrees }
        throw .badPosition("its \(angle.name) is neither \(angle.plus) nor \(angle.minus)")
    }
}

extension NotedPosition {
    /// Whether it is where both angles are 0: what is written for an unknown position.
    var isNowhere: Bool { latitude == 0 && longitude == 0 }
}
