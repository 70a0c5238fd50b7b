/// What a picture may have at most, whatever its file says.
enum PictureLimit {
    /// Bytes of a file.
    static let bytes = 10 << 20
    /// Pixels, as the JPEG's header tells them.
    static let pixels = 40_000_000
    /// Passes over the whole picture. A progressive JPEG has about 10; each may cost time without costing bytes.
    static let scans = 40
    /// Bytes of coefficients that a picture may need to be decoded beside others. One of 40 megapixels needs up to 240
    /// MB, and a few of these would be more than a container has.
    static let sharedBytes = 16 << 20
    /// The longest side of a picture that is made.
    static let madeSide = 8_192
}
