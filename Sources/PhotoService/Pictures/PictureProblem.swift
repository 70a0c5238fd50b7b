/// Why a picture can't be used.
enum PictureProblem: Error, Equatable {
    /// There is no file of that name, or no longer.
    case gone
    /// A folder, a link, a device or something else that is no plain file.
    case notAFile
    /// Its name can't name a photo.
    case badName(String)
    /// More bytes than are allowed.
    case tooLarge(limit: Int)
    /// Its bytes don't start as a JPEG does, whatever its name says.
    case notJPEG
    /// The file ends before the picture does.
    case truncated
    /// More pixels than are allowed.
    case tooManyPixels(width: Int, height: Int)
    /// A JPEG of a kind that is not read.
    case unsupported(String)
    /// A JPEG that is broken.
    case damaged(String)
    /// The camera did not write where it was.
    case noPosition
    /// What the camera wrote about where it was makes no sense.
    case badPosition(String)
    /// The folder of pictures is not there: nothing is known about this one.
    case noFolder(FolderProblem)
    /// The disk, or the memory, failed.
    case unreadable(String)

    /// Whether it is of no use to try again as long as the file stays as it is.
    var isFinal: Bool {
        switch self {
        case .noFolder, .unreadable: false
        case .gone, .notAFile, .badName, .tooLarge, .notJPEG, .truncated, .tooManyPixels, .unsupported, .damaged,
            .noPosition, .badPosition:
            true
        }
    }
}

extension PictureProblem: CustomStringConvertible {
    /// A sentence for people.
    var description: String {
        switch self {
        case .gone: "the file is gone"
        case .notAFile: "it is not a plain file in the folder"
        case .badName(let reason): "its name \(reason)"
        case .tooLarge(let limit): "it has more than \(limit) bytes, which is the limit"
        case .notJPEG: "it is not a JPEG"
        case .truncated: "the file ends too early"
        case .tooManyPixels(let width, let height):
            "it has \(width) × \(height) pixels, \(PictureLimit.pixels) are the limit"
        case .unsupported(let kind): "it is a JPEG of a kind that is not read: \(kind)"
        case .damaged(let reason): "it is damaged: \(reason)"
        case .noPosition: "no position"
        case .badPosition(let reason): "its position makes no sense: \(reason)"
        case .noFolder(let problem): problem.description
        case .unreadable(let reason): "it can't be read: \(reason)"
        }
    }
}

/// What a picture may have at most, whatever its file says.
enum PictureLimit {
    /// Bytes of a file.
    static let bytes = 10 << 20
    /// Pixels, as the JPEG's header gives them.
    static let pixels = 40_000_000
    /// Passes over the whole picture. A progressive JPEG has about 10; each may cost time without costing bytes.
    static let scans = 40
    /// Bytes of coefficients that a picture may need to be decoded beside others. One of 40 megapixels needs up to 240
    /// MB, and a few of these would be more than a container has.
    static let sharedBytes = 16 << 20
    /// The longest side of a picture that is made.
    static let madeSide = 8_192
}
