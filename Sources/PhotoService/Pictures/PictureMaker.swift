import CTurboJPEG

/// A small JPEG made from a large one.
struct MadePicture: Equatable, Sendable {
    /// A JPEG without any metadata.
    let bytes: [UInt8]
    /// Pixels.
    let width: Int
    let height: Int
    /// A blurred preview as https://blurha.sh describes it, 28 characters.
    let placeholder: String
}

/// Makes pictures in other sizes. It computes for some milliseconds, so it runs where blocking is allowed.
struct PictureMaker: Sendable {
    /// An upright picture whose longer side has at most `longestSide` pixels (1 to 8,192); a smaller one is not
    /// enlarged. `orientation` is EXIF's number, `quality` 1 to 100.
    static func make(
        from jpeg: [UInt8], longestSide: Int, orientation: Int, quality: Int, limit: Int = PictureLimit.bytes
    ) throws(PictureProblem) -> MadePicture {
        precondition((1...PictureLimit.madeSide).contains(longestSide), "a side of \(longestSide) pixels")
        precondition((1...100).contains(quality), "a quality of \(quality)")
        guard jpeg.count <= limit else { throw .tooLarge(limit: limit) }
        let header = try JPEGHeader(jpeg)
        try header.check()
        try JPEGHeader.checkScans(jpeg)
        let orientation = Orientation(exif: orientation)
        let (width, height) = fitted(header, longestSide)
        let decoded = try JPEGDecoder.decode(jpeg, header, atLeast: width, height)
        let upright = try decoded.drawn(
            orientation, width: orientation.isSideways ? height : width,
            height: orientation.isSideways ? width : height)
        return MadePicture(
            bytes: try JPEGEncoder.encode(upright, quality: quality), width: upright.width, height: upright.height,
            placeholder: try Placeholder.text(of: upright))
    }

    /// How many bytes libjpeg keeps of a picture while it decodes it, into any size: all its coefficients when it has
    /// several passes, else none.
    static func keptBytes(of jpeg: [UInt8]) throws(PictureProblem) -> Int {
        let header = try JPEGHeader(jpeg)
        try header.check()
        let scans = try JPEGHeader.checkScans(jpeg)
        return header.isProgressive || scans > 1 ? header.coefficientBytes : 0
    }

    /// The size before rotation.
    private static func fitted(_ header: JPEGHeader, _ longestSide: Int) -> (width: Int, height: Int) {
        let longer = max(header.width, header.height)
        guard longer > longestSide else { return (header.width, header.height) }
        func shrunk(_ side: Int) -> Int { max(1, (side * longestSide + longer / 2) / longer) }
        return (shrunk(header.width), shrunk(header.height))
    }
}

/// Decodes a JPEG into pixels, in an eighth to the whole of its size: most of the work of a large one is avoided.
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
        if reason.contains("Premature end") { throw .truncated }
        if reason.contains("nsupported") || reason.contains("not supported") { throw .unsupported(reason) }
        throw .damaged(reason)
    }

    /// Parts of warnings about files that many cameras write.
    private static let harmless = ["extraneous bytes before marker", "Invalid SOS parameters"]
}

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
