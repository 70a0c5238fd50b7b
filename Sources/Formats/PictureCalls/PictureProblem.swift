/// Why a picture can't be used.
package enum PictureProblem: Error, Equatable {
    /// There is no file of that name any more.
    case gone
    /// A folder, a link, a device or something else that is not a regular file.
    case notAFile
    /// Its name can't name a photo.
    case badName(String)
    /// More bytes than are allowed.
    case tooLarge(limit: Int)
    /// Its bytes start like those of no kind of picture that is read, whatever its name says.
    case notAPicture
    /// The file ends before the picture does.
    case truncated
    /// More pixels than are allowed.
    case tooManyPixels(width: Int, height: Int)
    /// By its name it is something that cameras write besides pictures that are read: a film, or raw values.
    case otherKind(String)
    /// A kind of picture that is not supported.
    case unsupported(String)
    /// A picture that is broken.
    case damaged(String)
    /// Its decoder died of it, or took too long, again and again.
    case deadly(String)
    /// The camera did not record its position.
    case noPosition
    /// The recorded position is invalid.
    case badPosition(String)
    /// The folder of pictures is not available: nothing is known about this one.
    case noFolder(FolderProblem)
    /// The disk, or the memory, failed.
    case unreadable(String)
    /// Its network does not have it any more.
    case withdrawn
    /// Its network can't be reached, or can't give it.
    case unreachable(String)
    /// Its network is switched off, or gives nothing for a while.
    case busy(String)
    /// Its network does not accept its account's key.
    case refused(String)

    /// Whether another try is useless as long as the file does not change.
    package var isFinal: Bool {
        switch self {
        case .noFolder, .unreadable, .unreachable, .busy, .refused: false
        case .gone, .withdrawn, .notAFile, .badName, .tooLarge, .otherKind, .notAPicture, .truncated, .tooManyPixels,
            .unsupported, .damaged, .deadly, .noPosition, .badPosition:
            true
        }
    }
}

extension PictureProblem: CustomStringConvertible {
    /// A text for people.
    package var description: String {
        switch self {
        case .gone: "the file was deleted"
        case .notAFile: "it is not a plain file in the folder"
        case .badName(let reason): "its name \(reason)"
        case .tooLarge(let limit): "it has more than \(limit) bytes, which is the limit"
        case .notAPicture: "it is none of JPEG, PNG, WebP, HEIC, AVIF and TIFF"
        case .truncated: "the file ends too early"
        case .tooManyPixels(let width, let height):
            "it has \(width) × \(height) pixels, \(PictureLimit.pixels) are the limit"
        case .otherKind(let kind): "it is \(kind); only pictures become photos"
        case .unsupported(let kind): "it is a picture of a kind that is not read: \(kind)"
        case .damaged(let reason): "it is damaged: \(reason)"
        case .deadly(let reason): "it can't be decoded: \(reason)"
        case .noPosition: "no position"
        case .badPosition(let reason): "its position makes no sense: \(reason)"
        case .noFolder(let problem): problem.description
        case .unreadable(let reason): "it can't be read: \(reason)"
        case .withdrawn: "its network does not have it any more"
        case .unreachable(let reason): "it can't be fetched: \(reason)"
        case .busy(let reason): reason
        case .refused(let reason): reason
        }
    }
}

/// Why a folder of pictures can't be scanned. It says nothing about the pictures: they are not gone.
package enum FolderProblem: Error, Equatable {
    /// It does not exist, is not a folder, or may not be read.
    case unreadable(folder: String, reason: String)
    /// It contains no picture, though photos of it are known: the mount point of a disk that is not mounted.
    case empty(folder: String)
    /// The caller cancelled.
    case cancelled
}

extension FolderProblem: CustomStringConvertible {
    /// A text for people.
    package var description: String {
        switch self {
        case .unreadable(let folder, let reason): "the folder of pictures \(folder) can't be read: \(reason)"
        case .empty(let folder):
            """
            the folder of pictures \(folder) has no picture, but photos of it are known: is its disk mounted? If all \
            of them are deleted for good, put a file into it whose name ends with .jpg; an empty one will do
            """
        case .cancelled: "the scan was stopped"
        }
    }
}

/// The limits of a picture, whatever its file says.
package enum PictureLimit {
    /// Bytes of a file that a network gives, and of one that is decoded in parallel with others.
    package static let bytes = 10 << 20
    /// Bytes of a file of one's own: in the folder, or uploaded.
    package static let ownBytes = 64 << 20
    /// Pixels, as the header gives them. A large decoder has room for nine bytes of each; what takes more than that, as
    /// an HEIC with 16 bits and alpha, costs its own picture.
    package static let pixels = 64_000_000
    /// Passes over the whole picture. A progressive JPEG has about 10; each may cost time without costing bytes.
    package static let scans = 40
    /// Bytes up to which a picture is decoded in parallel with others. One of 40 megapixels needs up to 240 MB, and a
    /// few of these would be more than a container has.
    package static let sharedBytes = 64 << 20
    /// The longest side of a picture that is made.
    package static let madeSide = 8_192
}
