internal import EventLoops
internal import Glibc

/// Why bytes could not be kept or given back.
package enum BlobError: Error, Equatable {
    /// There are no bytes of that name.
    case notFound(BlobName)
    /// The disk, or what may be used of it, is full; nothing was kept.
    case full
    /// What is on the disk is not what was put there.
    case damaged(BlobName)
    /// The disk failed; the sentence names the call, the path and the reason.
    case failed(String)

    init(_ error: SystemError) {
        self = error.code == ENOSPC || error.code == EDQUOT ? .full : .failed(error.description)
    }

    /// The same for a step on one blob, which may not be there.
    init(_ error: SystemError, _ name: BlobName) {
        self = error.code == ENOENT ? .notFound(name) : BlobError(error)
    }

    /// Whether the bytes are lost: to read them again does not help, to put them again does.
    package var isLoss: Bool {
        switch self {
        case .notFound, .damaged: true
        case .full, .failed: false
        }
    }
}

extension BlobError: CustomStringConvertible {
    /// A sentence for people.
    package var description: String {
        switch self {
        case .notFound(let name): "there is no blob \(name)"
        case .full: "the disk is full"
        case .damaged(let name): "the blob \(name) is damaged on the disk"
        case .failed(let reason): reason
        }
    }
}
