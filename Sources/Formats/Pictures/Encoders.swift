import CTurboJPEG
import CWebP
import PictureCalls

/// Writes pixels as a JPEG that contains only the picture: no place, no camera, no time.
enum JPEGEncoder {
    /// `quality` is 1 to 100.
    static func encode(_ surface: borrowing PixelSurface, quality: Int) throws(PictureProblem) -> [UInt8] {
        guard let handle = unsafe tjInitCompress() else { throw .unreadable("there is no memory to encode it") }
        defer { unsafe tjDestroy(handle) }
        var bytes: UnsafeMutablePointer<UInt8>?
        var count: UInt = 0
        defer { unsafe tjFree(bytes) }
        let (sides, stride) = ((Int32(surface.width), Int32(surface.height)), Int32(surface.stride))
        let status = unsafe surface.withPixels { pixels in
            unsafe tjCompress2(
                handle, pixels.baseAddress, sides.0, stride, sides.1, Int32(TJPF_BGRX.rawValue), &bytes, &count,
                Int32(TJSAMP_420.rawValue), Int32(quality), 0)
        }
        guard status == 0 else { throw .unreadable(unsafe String(cString: tjGetErrorStr2(handle))) }
        return unsafe Array(UnsafeBufferPointer(start: bytes, count: Int(count)))
    }
}

/// Writes pixels as a WebP that contains only the picture.
enum WebPEncoder {
    /// `quality` is 1 to 100. Nil when there is no memory.
    static func encode(_ surface: borrowing PixelSurface, quality: Int) -> [UInt8]? {
        let (sides, stride) = ((Int32(surface.width), Int32(surface.height)), Int32(surface.stride))
        var count = 0
        let bytes = unsafe surface.withPixels { pixels in
            unsafe waymark_webp_bytes(pixels.baseAddress, stride, sides.0, sides.1, Float(quality), &count)
        }
        guard let bytes = unsafe bytes else { return nil }
        defer { unsafe WebPFree(bytes) }
        return unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
    }
}
