/// Why a folder of pictures can't be looked through. It says nothing about the pictures: they are not gone.
enum FolderProblem: Error, Equatable {
    /// It is not there, is not a folder, or may not be read.
    case unreadable(folder: String, reason: String)
    /// It holds no picture, though photos of it are known: what a disk leaves behind that is not mounted.
    case empty(folder: String)
    /// Whoever asked wants no more.
    case cancelled
}

extension FolderProblem: CustomStringConvertible {
    /// A sentence for people.
    var description: String {
        switch self {
        case .unreadable(let folder, let reason): "the folder of pictures \(folder) can't be read: \(reason)"
        case .empty(let folder):
            """
            the folder of pictures \(folder) holds no picture, but photos of it are known: is its disk mounted? If all \
            of them are gone for good, put a file into it whose name ends with .jpg; an empty one will do
            """
        case .cancelled: "the scan was stopped"
        }
    }
}
