import EventLoops
import Glibc

/// Keeps a second process out of a data folder. The kernel lets go of it however the process ends.
final class FolderLock: Sendable {
    private let descriptor: Int32

    init(_ folder: String) throws(PlacesError) {
        let path = "\(folder)/lock"
        descriptor = try PlacesError.converting("the data folder") { () throws(SystemError) in
            try DiskFile.makeFolder(folder)
            return try syscall("open", path) { unsafe Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600) }
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw .storage(
                what: folder, reason: "another process uses this data folder; --data names a folder of its own")
        }
    }

    deinit { close(descriptor) }
}
