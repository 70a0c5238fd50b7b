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
