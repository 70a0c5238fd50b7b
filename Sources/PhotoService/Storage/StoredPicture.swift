import Storage

/// A picture that was made and kept.
struct StoredPicture: Equatable, Sendable {
    let name: BlobName
    let byteCount: Int
    /// Pixels.
    let width: Int
    let height: Int
}

/// How large a picture is. The numbers are stored.
enum PictureSize: Int64, Sendable {
    case thumbnail = 1
    case large = 2

    /// In pixels.
    var longestSide: Int {
        switch self {
        case .thumbnail: 320
        case .large: 2_048
        }
    }

    /// Of JPEG, 1 to 100.
    var quality: Int {
        switch self {
        case .thumbnail: 80
        case .large: 85
        }
    }
}
