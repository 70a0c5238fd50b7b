/// Pictures that are shown as they came.
enum ShownKind {
    /// By what the bytes begin with, whatever anyone says of them; nil for what is not shown.
    static func mediaType(of bytes: [UInt8]) -> String? {
        if bytes.starts(with: [0xff, 0xd8, 0xff]) { return "image/jpeg" }
        let isWebP = bytes.starts(with: Array("RIFF".utf8)) && bytes.dropFirst(8).starts(with: Array("WEBP".utf8))
        return isWebP ? "image/webp" : nil
    }
}
