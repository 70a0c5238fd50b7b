internal import EventLoops
internal import Glibc

/// Why a blob could not be stored or read.
package enum BlobError: Error, Equatable {
    /// There is no blob with that name.
    case notFound(BlobName)
    /// The disk, or the space allowed on it, is full; nothing was stored.
    case full
    /// The bytes of the store differ from those that were stored.
    case damaged(BlobName)
    /// A store on another machine does not answer, or asks for patience; the text says why, and what to do.
    case away(String)
    /// A store on another machine refuses what it is asked; the text says what to change.
    case refused(String)
    /// The task was cancelled.
    case cancelled
    /// The disk failed; the text names the call, the path and the reason.
    case failed(String)

    init(_ error: SystemError) {
        self = error.code == ENOSPC || error.code == EDQUOT ? .full : .failed(error.description)
    }

    /// Converts the error of an operation on one blob, which may not exist.
    init(_ error: SystemError, _ name: BlobName) {
        self = error.code == ENOENT ? .notFound(name) : BlobError(error)
    }

    /// Whether the bytes are lost: reading them again does not help, storing them again does.
    package var isLoss: Bool {
        switch self {
        case .notFound, .damaged: true
        case .full, .away, .refused, .cancelled, .failed: false
        }
    }
}

extension BlobError: CustomStringConvertible {
    /// A text for people.
    package var description: String {
        switch self {
        case .notFound(let name): "there is no blob \(name)"
        case .full: "the disk is full"
        case .damaged(let name): "the blob \(name) is damaged in the store"
        case .away(let reason), .refused(let reason), .failed(let reason): reason
        case .cancelled: "it was cancelled"
        }
    }
}
