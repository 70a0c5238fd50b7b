import Bytes
import Compression

/// Writes a PNG of pixels without an alpha channel (https://www.w3.org/TR/png-3/). cairo's own tries five filters on
/// each row, which takes longer than to draw what is in it: rows of few colours are as small without any.
enum PNGWriter {
    private static let signature: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
    private static let level: Int32 = 3

    /// Nil without the memory for it.
    /// - Parameter rows: of each row a zero, and red, green and blue of each pixel.
    static func png(width: Int, height: Int, rows: [UInt8]) -> [UInt8]? {
        guard let packed = Zlib.pack(rows, level: level) else { return nil }
        // Eight bits of three colours; the only packing, filters and order that there are.
        let head = bytes(UInt32(clamping: width)) + bytes(UInt32(clamping: height)) + [8, 2, 0, 0, 0]
        return signature + chunk("IHDR", head) + chunk("IDAT", packed) + chunk("IEND", [])
    }

    private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        let named = Array(name.utf8) + content
        var check = RunningCRC32()
        check.update(named[...])
        return bytes(UInt32(clamping: content.count)) + named + bytes(check.value)
    }

    private static func bytes(_ number: UInt32) -> [UInt8] { BigEndian.bytes(UInt64(number)).suffix(4) }
}
