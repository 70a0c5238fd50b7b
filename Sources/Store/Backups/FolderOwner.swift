internal import Files
internal import Glibc

/// Whose a data folder is: what root adds to it becomes theirs too, or they could not remove it.
struct FolderOwner: Sendable {
    private let user: uid_t
    private let group: gid_t

    /// Nil where nothing is to be given away. Blocks.
    init?(of folder: String) {
        var status = stat()
        guard geteuid() == 0, unsafe stat(folder, &status) == 0, status.st_uid != 0 else { return nil }
        (user, group) = (status.st_uid, status.st_gid)
    }

    /// Gives them a file, or a folder with all in it. What is a link leads elsewhere, and is given alone. Blocks.
    func give(_ path: String) {
        unsafe lchown(path, user, group)
        guard !DiskFile.isLink(path), DiskFile.isFolder(path) else { return }
        for name in (try? DiskFile.names(in: path)) ?? [] { give("\(path)/\(name)") }
    }
}
