import CTurboJPEG

/// Reads a JPEG into pixels, in an eighth to the whole of its size: most of the work of a large one is left out.
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

    /// Lets pass what libjpeg only mentions: the pixels are whole then.
    private static func check(_ handle: tjhandle) throws(PictureProblem) {
        let reason = unsafe String(cString: tjGetErrorStr2(handle))
        let isWarning = unsafe tjGetErrorCode(handle) == Int32(TJERR_WARNING.rawValue)
        if isWarning, harmless.contains(where: reason.contains) { return }
        if reason.contains("Premature end") { throw .truncated }
        if reason.contains("nsupported") || reason.contains("not supported") { throw .unsupported(reason) }
        throw .damaged(reason)
    }

    /// Parts of warnings about files that many cameras write.
    private static let harmless = ["extraneous bytes before marker", "Invalid SOS parameters"]
}

/// Writes pixels as a JPEG with nothing but the picture in it: no place, no camera, no time.
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
