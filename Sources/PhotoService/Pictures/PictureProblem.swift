/// Why a picture can't be used.
enum PictureProblem: Error, Equatable {
    /// There is no file of that name any more.
    case gone
    /// A folder, a link, a device or something else that is not a regular file.
    case notAFile
    /// Its name can't name a photo.
    case badName(String)
    /// More bytes than are allowed.
    case tooLarge(limit: Int)
    /// Its bytes don't start like a JPEG's, whatever its name says.
    case notJPEG
    /// The file ends before the picture does.
    case truncated
    /// More pixels than are allowed.
    case tooManyPixels(width: Int, height: Int)
    /// A kind of JPEG that is not supported.
    case unsupported(String)
    /// A JPEG that is broken.
    case damaged(String)
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

    /// Whether another try is useless as long as the file does not change.
    var isFinal: Bool {
        switch self {
        case .noFolder, .unreadable, .unreachable, .busy: false
        case .gone, .withdrawn, .notAFile, .badName, .tooLarge, .notJPEG, .truncated, .tooManyPixels, .unsupported,
            .damaged,
            .noPosition, .badPosition:
            true
        }
    }
}

extension PictureProblem: CustomStringConvertible {
    /// A text for people.
    var description: String {
        switch self {
        case .gone: "the file was deleted"
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
        case .withdrawn: "its network does not have it any more"
        case .unreachable(let reason): "it can't be fetched: \(reason)"
        case .busy(let reason): reason
        }
    }
}

/// The limits of a picture, whatever its file says.
enum PictureLimit {
    /// Bytes of a file.
    static let bytes = 10 << 20
    /// Pixels, as the JPEG's header gives them.
    static let pixels = 40_000_000
    /// Passes over the whole picture. A progressive JPEG has about 10; each may cost time without costing bytes.
    static let scans = 40
    /// Bytes of coefficients up to which a picture is decoded in parallel with others. One of 40 megapixels needs up to
    /// 240 MB, and a few of these would be more than a container has.
    static let sharedBytes = 16 << 20
    /// The longest side of a picture that is made.
    static let madeSide = 8_192
}
