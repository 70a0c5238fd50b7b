import CExif

/// Where a camera says that it was.
struct ExifPosition: Equatable {
    /// Degrees, -90…90.
    let latitude: Double
    /// Degrees, -180…180.
    let longitude: Double

    /// Refuses a position that is not there, or only half, or impossible.
    init(_ tags: borrowing ExifTags) throws(PictureProblem) {
        guard let latitude = tags.positionFractions(EXIF_TAG_GPS_LATITUDE),
            let longitude = tags.positionFractions(EXIF_TAG_GPS_LONGITUDE)
        else { throw .noPosition }
        self.latitude =
            try Self.degrees(latitude, limit: 90, "latitude")
            * Self.sign(tags.positionText(EXIF_TAG_GPS_LATITUDE_REF), "N", "S", "latitude")
        self.longitude =
            try Self.degrees(longitude, limit: 180, "longitude")
            * Self.sign(tags.positionText(EXIF_TAG_GPS_LONGITUDE_REF), "E", "W", "longitude")
    }

    /// Degrees from degrees, minutes and seconds.
    private static func degrees(
        _ parts: [(UInt32, UInt32)], limit: Double, _ name: String
    ) throws(PictureProblem) -> Double {
        guard parts.count == 3 else { throw .badPosition("its \(name) has \(parts.count) parts instead of 3") }
        guard parts.allSatisfy({ $0.1 != 0 }) else { throw .badPosition("its \(name) divides by zero") }
        let values = parts.map { Double($0.0) / Double($0.1) }
        let degrees = values[0] + values[1] / 60 + values[2] / 3_600
        guard degrees <= limit, values[1] <= 60, values[2] <= 60 else {
            throw .badPosition("its \(name) is \(values[0])° \(values[1])′ \(values[2])″")
        }
        return degrees
    }

    private static func sign(
        _ text: [UInt8]?, _ plus: Character, _ minus: Character, _ name: String
    ) throws(PictureProblem) -> Double {
        let letter = text?.first.map { Character(Unicode.Scalar($0)) }
        if letter == plus { return 1 }
        if letter == minus { return -1 }
        throw .badPosition("its \(name) is neither \(plus) nor \(minus)")
    }
}
