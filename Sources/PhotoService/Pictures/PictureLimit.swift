/// What a picture may have at most, whatever its file says.
enum PictureLimit {
    /// Bytes of a file.
    static let bytes = 10 << 20
    /// Pixels, as the JPEG's header tells them.
    static let pixels = 40_000_000
    /// Passes over the whole picture. A progressive JPEG has about 10; each may cost time without costing bytes.
    static let scans = 40
    /// The longest side of a picture that is made.
    static let madeSide = 8_192
}
