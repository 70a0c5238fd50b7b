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

    /// Fractions about the position: numerators and denominators. The standard's have no sign, some cameras' do.
    borrowing func positionFractions(_ tag: Int32) -> [(Int64, Int64)]? {
        let order = unsafe exif_data_get_byte_order(data)
        if let bytes = bytes(tag, in: EXIF_IFD_GPS, EXIF_FORMAT_RATIONAL, size: 8) {
            return Self.eights(bytes).map { part in
                let value = unsafe exif_get_rational(part, order)
                return (Int64(value.numerator), Int64(value.denominator))
            }
        }
        guard let bytes = bytes(tag, in: EXIF_IFD_GPS, EXIF_FORMAT_SRATIONAL, size: 8) else { return nil }
        return Self.eights(bytes).map { part in
            let value = unsafe exif_get_srational(part, order)
            return (Int64(value.numerator), Int64(value.denominator))
        }
    }

    private static func eights(_ bytes: [UInt8]) -> [[UInt8]] {
        stride(from: 0, to: bytes.count - bytes.count % 8, by: 8).map { Array(bytes[$0..<$0 + 8]) }
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
