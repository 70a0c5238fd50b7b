import EventLoops
import Files
import Glibc

/// The folder in which a service keeps all its data.
package enum DataFolder {
    /// Why the folder can't be used.
    package struct Problem: Error, CustomStringConvertible {
        package let description: String
    }

    /// Makes the folder and its missing parents; only their owner can read them. Blocks.
    package static func make(_ path: String) throws(Problem) {
        do {
            try DiskFile.makeFolder(path)
        } catch {
            guard !DiskFile.exists(path) else {
                throw Problem(
                    description: "\(path) is not a folder; --data needs one, or a name that is still free")
            }
            throw Problem(
                description: "the data folder \(path) can't be made: \(unsafe String(cString: strerror(error.code)))")
        }
    }
}

/// Keeps a second process out of a data folder. The kernel releases it however the process ends.
package final class FolderLock: Sendable {
    private let descriptor: Int32

    /// Locks a folder, and makes it if necessary. Refused when another process holds the lock. Blocks.
    package init(_ folder: String) throws(DataFolder.Problem) {
        try DataFolder.make(folder)
        let path = "\(folder)/lock"
        do {
            descriptor = try syscall("open", path) { unsafe Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600) }
        } catch {
            throw DataFolder.Problem(description: "the data folder can't be locked: \(error)")
        }
        // From here on deinit closes the descriptor, also when this throws.
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            throw DataFolder.Problem(
                description: "\(folder): another process uses this data folder; --data names a folder of its own")
        }
    }

    deinit {
        // Closing alone is not enough: a child that another thread is just starting has a copy of the descriptor.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
