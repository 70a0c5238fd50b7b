/// Where the picture of a photo stands. The numbers are stored.
enum PictureState: Int64, Sendable {
    /// Only the record is stored.
    case unspecified = 0
    /// It will be fetched.
    case waiting = 1
    /// Its thumbnail is there.
    case ready = 3
    /// It can't be had.
    case failed = 4
}

/// What is known of the picture of a photo.
struct PictureStatus: Equatable, Sendable {
    /// Bytes that tell one picture of a photo from another.
    static let sourceLength = 8

    var state = PictureState.unspecified
    /// How large the original is; 0 when not known.
    var byteCount: Int64 = 0
    /// Why it can't be had; empty unless it failed.
    var failure = ""
    /// A blurred preview (https://blurha.sh); empty until the picture was read.
    var placeholder = ""
    /// The first bytes of the thumbnail's name; empty while there is none.
    var thumbnail: [UInt8] = []
    /// Whether a large picture was made.
    var hasLarge = false
    /// The photo's file, if it is one of the folder and still there.
    var original: Original?
}
