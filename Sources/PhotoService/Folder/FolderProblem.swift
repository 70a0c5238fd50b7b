/// Why a folder of pictures can't be looked through. It says nothing about the pictures: they are not gone.
enum FolderProblem: Error, Equatable {
    /// It is not there, is not a folder, or may not be read.
    case unreadable(folder: String, reason: String)
    /// Whoever asked wants no more.
    case cancelled
}

extension FolderProblem: CustomStringConvertible {
    /// A sentence for people.
    var description: String {
        switch self {
        case .unreadable(let folder, let reason): "the folder of pictures \(folder) can't be read: \(reason)"
        case .cancelled: "the scan was stopped"
        }
    }
}
