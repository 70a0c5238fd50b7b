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

/// Makes pictures in other sizes. It computes for some milliseconds, so it is run where blocking is fine.
struct PictureMaker: Sendable {
    /// A picture that stands upright and whose longer side has at most `longestSide` pixels (1 to 8,192); a smaller one
    /// is not enlarged. `orientation` is EXIF's number, `quality` 1 to 100.
    static func make(
        from jpeg: [UInt8], longestSide: Int, orientation: Int, quality: Int
    ) throws(PictureProblem) -> MadePicture {
        precondition((1...PictureLimit.madeSide).contains(longestSide), "a side of \(longestSide) pixels")
        precondition((1...100).contains(quality), "a quality of \(quality)")
        guard jpeg.count <= PictureLimit.bytes else { throw .tooLarge(limit: PictureLimit.bytes) }
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

    /// How many bytes libjpeg keeps of a picture while it decodes it, into whichever size: all its coefficients when it
    /// comes in several passes, else none.
    static func keptBytes(of jpeg: [UInt8]) throws(PictureProblem) -> Int {
        let header = try JPEGHeader(jpeg)
        try header.check()
        let scans = try JPEGHeader.checkScans(jpeg)
        return header.isProgressive || scans > 1 ? header.coefficientBytes : 0
    }

    /// The size before turning.
    private static func fitted(_ header: JPEGHeader, _ longestSide: Int) -> (width: Int, height: Int) {
        let longer = max(header.width, header.height)
        guard longer > longestSide else { return (header.width, header.height) }
        func shrunk(_ side: Int) -> Int { max(1, (side * longestSide + longer / 2) / longer) }
        return (shrunk(header.width), shrunk(header.height))
    }
}
