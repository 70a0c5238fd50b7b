import CExif
import Glibc
import PictureCalls

/// A camera's metadata in a picture, tag by tag. It may be wrong in every way; libexif stays within the bytes given.
@safe
struct ExifTags: ~Copyable {
    private let data: UnsafeMutablePointer<ExifData>

    /// Reads an EXIF segment that starts with "Exif" and two zeros; nil when there is no memory.
    init?(_ segment: ArraySlice<UInt8>) {
        guard let data = unsafe exif_data_new() else { return nil }
        // Missing tags are not filled in.
        unsafe exif_data_unset_option(data, EXIF_DATA_OPTION_FOLLOW_SPECIFICATION)
        unsafe segment.withUnsafeBufferPointer { bytes in
            unsafe exif_data_load_data(data, bytes.baseAddress, UInt32(bytes.count))
        }
        unsafe self.data = unsafe data
    }

    deinit { unsafe exif_data_unref(data) }

    /// The bytes of a tag of text.
    borrowing func text(_ tag: ExifTag, in folder: ExifIfd) -> [UInt8]? {
        bytes(Int32(tag.rawValue), in: folder, EXIF_FORMAT_ASCII, size: 1)
    }

    /// The bytes of a tag of text about the position.
    borrowing func positionText(_ tag: Int32) -> [UInt8]? {
        bytes(tag, in: EXIF_IFD_GPS, EXIF_FORMAT_ASCII, size: 1)
    }

    /// Fractions about the position: numerators and denominators.
    borrowing func positionFractions(_ tag: Int32) -> [(UInt32, UInt32)]? {
        guard let bytes = bytes(tag, in: EXIF_IFD_GPS, EXIF_FORMAT_RATIONAL, size: 8) else { return nil }
        let order = unsafe exif_data_get_byte_order(data)
        return stride(from: 0, to: bytes.count, by: 8).map { start in
            let part = Array(bytes[start..<start + 8])
            let value = unsafe exif_get_rational(part, order)
            return (value.numerator, value.denominator)
        }
    }

    /// A fraction about the position.
    borrowing func positionNumber(_ tag: Int32) -> Double? {
        guard let (part, whole) = positionFractions(tag)?.first, whole != 0 else { return nil }
        return Double(part) / Double(whole)
    }

    /// The first of a tag's short numbers.
    borrowing func number(_ tag: ExifTag, in folder: ExifIfd) -> Int? {
        guard let bytes = bytes(Int32(tag.rawValue), in: folder, EXIF_FORMAT_SHORT, size: 2), bytes.count >= 2 else {
            return nil
        }
        return unsafe Int(exif_get_short(bytes, exif_data_get_byte_order(data)))
    }

    /// A copy of a tag's bytes, whole items of that format only; nil when there is none, or of another format.
    private borrowing func bytes(_ tag: Int32, in folder: ExifIfd, _ format: ExifFormat, size: Int) -> [UInt8]? {
        guard let entry = unsafe waymark_exif_entry(data, folder, tag), unsafe entry.pointee.format == format,
            let start = unsafe entry.pointee.data
        else { return nil }
        let count = unsafe Int(entry.pointee.size)
        return unsafe Array(UnsafeBufferPointer(start: start, count: count - count % size))
    }
}

/// The position recorded by a camera.
enum ExifPosition {
    /// Refuses a position that is missing, incomplete or impossible.
    static func read(_ tags: borrowing ExifTags) throws(PictureProblem) -> NotedPosition {
        guard let latitude = tags.positionFractions(EXIF_TAG_GPS_LATITUDE),
            let longitude = tags.positionFractions(EXIF_TAG_GPS_LONGITUDE)
        else { throw .noPosition }
        return NotedPosition(
            latitude: try degrees(latitude, limit: 90, "latitude")
                * sign(tags.positionText(EXIF_TAG_GPS_LATITUDE_REF), "N", "S", "latitude"),
            longitude: try degrees(longitude, limit: 180, "longitude")
                * sign(tags.positionText(EXIF_TAG_GPS_LONGITUDE_REF), "E", "W", "longitude"))
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

/// The time recorded by a camera.
enum ExifTime {
    /// Milliseconds since 1970-01-01T00:00:00Z. `text` is "2024:06:21 14:05:33", `offset` "+03:00", or nil when the
    /// camera did not write it: UTC is assumed then. Nil when it is not a valid time.
    static func milliseconds(_ text: [UInt8], offset: [UInt8]?) -> Int64? {
        guard let numbers = numbers(text, like: "0000:00:00 00:00:00"),
            let seconds = seconds(numbers), let shift = shift(offset)
        else { return nil }
        return (seconds - shift) * 1_000
    }

    private static func seconds(_ numbers: [Int32]) -> Int64? {
        let ranges: [ClosedRange<Int32>] = [1_800...9_999, 1...12, 1...31, 0...23, 0...59, 0...59]
        guard zip(numbers, ranges).allSatisfy({ $1.contains($0) }) else { return nil }
        var time = unsafe tm(
            tm_sec: numbers[5], tm_min: numbers[4], tm_hour: numbers[3], tm_mday: numbers[2], tm_mon: numbers[1] - 1,
            tm_year: numbers[0] - 1_900, tm_wday: 0, tm_yday: 0, tm_isdst: 0, tm_gmtoff: 0, tm_zone: nil)
        let seconds = unsafe timegm(&time)
        // Otherwise the 31st of June has become the 1st of July.
        let isDay = unsafe time.tm_mon == numbers[1] - 1
        return isDay ? Int64(seconds) : nil
    }

    /// Seconds east of UTC; nil when it is not an offset.
    private static func shift(_ text: [UInt8]?) -> Int64? {
        guard let text, text.contains(where: { $0 != 0 && $0 != UInt8(ascii: " ") }) else { return 0 }
        guard let sign = text.first, let numbers = numbers(Array(text.dropFirst()), like: "00:00"),
            numbers[0] <= 15, numbers[1] <= 59
        else { return nil }
        let seconds = Int64(numbers[0]) * 3_600 + Int64(numbers[1]) * 60
        switch sign {
        case UInt8(ascii: "+"): return seconds
        case UInt8(ascii: "-"): return -seconds
        default: return nil
        }
    }

    /// The numbers in a text that has a digit where the pattern has one, and is equal elsewhere; zeros may follow.
    private static func numbers(_ text: [UInt8], like pattern: String) -> [Int32]? {
        let zero = UInt8(ascii: "0")
        let digits = zero...UInt8(ascii: "9")
        guard text.count >= pattern.utf8.count, text.dropFirst(pattern.utf8.count).allSatisfy({ $0 == 0 }) else {
            return nil
        }
        var numbers: [Int32] = [0]
        for (byte, wanted) in zip(text, pattern.utf8) {
            if digits.contains(wanted) {
                guard digits.contains(byte) else { return nil }
                numbers[numbers.count - 1] = numbers[numbers.count - 1] * 10 + Int32(byte - zero)
            } else {
                guard byte == wanted else { return nil }
                numbers.append(0)
            }
        }
        return numbers
    }
}
