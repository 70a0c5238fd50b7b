import EventLoops
import Files
import Glibc

/// The folder in which a service keeps all its data.
package enum DataFolder {
    /// Why the folder can't be used.
    package struct Problem: Error, CustomStringConvertible {
        package let description: String
    }

    /// Makes the folder and its missing parents; only their owner can read them, and what lies in it. Blocks.
    package static func make(_ path: String) throws(Problem) {
        do {
            try DiskFile.makeFolder(path)
            close(path)
        } catch {
            guard (try? DiskFile.exists(path)) != true else {
                throw Problem(
                    description: "\(path) is not a folder; --data needs one, or a name that is still free")
            }
            throw Problem(
                description: "the data folder \(path) can't be made: \(unsafe String(cString: strerror(error.code)))")
        }
    }

    /// Takes from all others the right to read what earlier versions left open to them. What belongs to another user,
    /// as a volume may that is mounted here, stays as its owner has made it.
    private static func close(_ folder: String) {
        unsafe chmod(folder, 0o700)
        for name in (try? DiskFile.names(in: folder)) ?? [] {
            var status = stat()
            let path = "\(folder)/\(name)"
            guard unsafe lstat(path, &status) == 0 else { continue }
            switch status.st_mode & S_IFMT {
            case S_IFDIR: unsafe chmod(path, 0o700)
            case S_IFREG where status.st_mode & 0o077 != 0: unsafe chmod(path, 0o600)
            default: break
            }
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
