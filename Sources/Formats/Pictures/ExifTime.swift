import CExif

/// The time recorded by a camera, in the zone that it says, or that its satellites' time tells.
enum ExifTime {
    /// Nil when there is none, or it is not valid.
    static func read(_ tags: borrowing ExifTags) -> ClockTime? {
        guard let text = tags.text(EXIF_TAG_DATE_TIME_ORIGINAL, in: EXIF_IFD_EXIF), var time = ClockTime(exif: text)
        else { return nil }
        time.offsetMinutes =
            offset(tags) ?? time.offsetMinutes ?? satellites(tags).flatMap { time.offset(from: $0) }
        return time
    }

    /// That of the picture; else those of when it was made digital, or changed, which many write instead.
    private static func offset(_ tags: borrowing ExifTags) -> Int? {
        for tag in [EXIF_TAG_OFFSET_TIME_ORIGINAL, EXIF_TAG_OFFSET_TIME_DIGITIZED, EXIF_TAG_OFFSET_TIME] {
            if let offset = tags.text(tag, in: EXIF_IFD_EXIF).flatMap(ClockTime.offset) { return offset }
        }
        return nil
    }

    /// The day and the time of UTC that came with the position.
    private static func satellites(_ tags: borrowing ExifTags) -> ClockTime? {
        guard let day = tags.positionText(EXIF_TAG_GPS_DATE_STAMP).flatMap({ Digits.read($0, like: "0000:00:00") }),
            let parts = tags.positionFractions(EXIF_TAG_GPS_TIME_STAMP), parts.count == 3
        else { return nil }
        let numbers = parts.compactMap { part, whole in
            whole == 0 ? nil : Int32(exactly: (Double(part) / Double(whole)).rounded(.down))
        }
        return ClockTime(day + numbers)
    }
}
