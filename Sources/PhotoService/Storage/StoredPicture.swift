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

/// A photo's file in the folder, as it was when it was scanned.
struct Original: Equatable, Sendable {
    let id: PhotoID
    /// EXIF's number, 1 to 8.
    let orientation: Int
    /// When it was changed last, in nanoseconds since 1970.
    let modifiedNs: Int64

    var path: String { id.providerID }
}
