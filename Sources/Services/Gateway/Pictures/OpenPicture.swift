/// A picture that is ready to send.
struct OpenPicture: Sendable {
    /// Where its bytes are.
    enum Body: Sendable {
        /// All of them in a file.
        case file(CachedPictureFile)
        /// On their way from the photo service.
        case stream(PictureStream)
    }

    let facts: CachedPictureFacts
    let body: Body

    var mediaType: String { facts.mediaType }
    var byteCount: Int { facts.byteCount }
    /// 64 hexadecimal digits in lower case: the same for the same bytes.
    var sha256: String { facts.sha256 }
}

/// What is known of a picture before its bytes.
struct CachedPictureFacts: Equatable, Sendable {
    /// 64 hexadecimal digits in lower case.
    let sha256: String
    let byteCount: Int
    /// "image/jpeg" or "image/webp".
    let mediaType: String
    /// Whether its bytes may be stored.
    let mayBeKept: Bool

    /// Nil when the digest is not valid: it becomes the name of a file.
    init?(sha256: String, byteCount: UInt64, mediaType: String, mayBeKept: Bool = true) {
        guard Self.isDigest(sha256), let count = Int(exactly: byteCount), count > 0 else { return nil }
        self.sha256 = sha256
        self.byteCount = count
        self.mediaType = mediaType
        self.mayBeKept = mayBeKept
    }

    /// Whether a text is 64 hexadecimal digits in lower case.
    static func isDigest(_ text: String) -> Bool {
        text.utf8.count == 64 && text.utf8.allSatisfy { digits.contains($0) }
    }

    /// A digest's bytes as text.
    static func text(_ digest: [UInt8]) -> String {
        String(decoding: digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    private static let digits = Array("0123456789abcdef".utf8)
}
