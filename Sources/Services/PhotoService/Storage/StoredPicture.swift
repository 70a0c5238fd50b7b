import Storage

/// Bytes that are stored.
struct StoredBytes: Equatable, Sendable {
    let name: BlobName
    let count: Int
}

/// A picture that was made and stored.
struct StoredPicture: Equatable, Sendable {
    /// It as a JPEG; of an upload the file as it came.
    let jpeg: StoredBytes
    /// It as a WebP; nil when that is not smaller.
    var webP: StoredBytes?
    /// Pixels.
    let width: Int
    let height: Int
}

/// Pictures of one photo that were made at once.
struct MadeSizes: Sendable {
    let pictures: [PictureSize: StoredPicture]
    /// A blurred preview, 28 characters.
    let placeholder: String
}

/// How large a picture is. The numbers are stored; 3 is an upload's file.
enum PictureSize: Int64, Sendable {
    case thumbnail = 1
    case large = 2
    case small = 4

    /// Those that lists and maps show; they are made together.
    static let thumbnails: [PictureSize] = [.small, .thumbnail]

    var isThumbnail: Bool { Self.thumbnails.contains(self) }

    /// In pixels.
    var longestSide: Int {
        switch self {
        case .small: 160
        case .thumbnail: 320
        case .large: 2_048
        }
    }

    /// Of JPEG and of WebP, 1 to 100.
    var quality: Int {
        switch self {
        case .small, .thumbnail: 80
        case .large: 85
        }
    }
}
