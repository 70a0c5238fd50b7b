import Bytes
import CTurboJPEG
import PictureCalls

/// Decodes a JPEG into pixels.
enum JPEGDecoder {
    /// The picture in the smallest size, in eighths, that has at least `width` × `height` pixels. `header` is that of
    /// `jpeg`, and was checked.
    static func decode(
        _ jpeg: [UInt8], _ header: JPEGHeader, atLeast width: Int, _ height: Int
    ) throws(PictureProblem) -> PixelSurface {
        let eighths = eighths(header, atLeast: width, height)
        let surface = try PixelSurface(width: scaled(header.width, eighths), height: scaled(header.height, eighths))
        guard let handle = unsafe tjInitDecompress() else { throw .unreadable("there is no memory to decode it") }
        defer { unsafe tjDestroy(handle) }
        let (sides, stride) = ((Int32(surface.width), Int32(surface.height)), Int32(surface.stride))
        let status = unsafe surface.withPixels { pixels in
            unsafe tjDecompress2(
                handle, jpeg, UInt(jpeg.count), pixels.baseAddress, sides.0, stride, sides.1,
                Int32(TJPF_BGRX.rawValue), TJFLAG_LIMITSCANS)
        }
        if status != 0 { try unsafe check(handle) }
        return surface
    }

    /// libjpeg's own rounding.
    private static func scaled(_ side: Int, _ eighths: Int) -> Int { (side * eighths + 7) / 8 }

    private static func eighths(_ header: JPEGHeader, atLeast width: Int, _ height: Int) -> Int {
        (1..<8).first { scaled(header.width, $0) >= width && scaled(header.height, $0) >= height } ?? 8
    }

    /// Ignores what libjpeg only warns about: the pixels are complete then.
    private static func check(_ handle: tjhandle) throws(PictureProblem) {
        let reason = unsafe String(cString: tjGetErrorStr2(handle))
        let isWarning = unsafe tjGetErrorCode(handle) == Int32(TJERR_WARNING.rawValue)
        if isWarning, harmless.contains(where: reason.contains) { return }
        if reason.holds("Premature end") { throw .truncated }
        if reason.holds("nsupported") || reason.holds("not supported") { throw .unsupported(reason) }
        throw .damaged(reason)
    }

    /// Parts of warnings about files that many cameras write.
    private static let harmless = ["extraneous bytes before marker", "Invalid SOS parameters"]
}
