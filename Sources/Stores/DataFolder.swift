import EventLoops
import Files
import Glibc

/// The folder in which a service keeps everything.
package enum DataFolder {
    /// Why it can't be used.
    package struct Problem: Error, CustomStringConvertible {
        package let description: String
    }

    /// Makes the folder and those above it that are missing; only their owner may look inside. Blocks.
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

/// Keeps a second process out of a data folder. The kernel lets go of it however the process ends.
package final class FolderLock: Sendable {
    private let descriptor: Int32

    /// Locks a folder, and makes it if need be. Refused when another process has it. Blocks.
    package init(_ folder: String) throws(DataFolder.Problem) {
        try DataFolder.make(folder)
        let path = "\(folder)/lock"
        do {
            descriptor = try syscall("open", path) { unsafe Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600) }
        } catch {
            throw DataFolder.Problem(description: "the data folder can't be locked: \(error)")
        }
        // From here on the descriptor is closed by deinit, also when this throws.
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            throw DataFolder.Problem(
                description: "\(folder): another process uses this data folder; --data names a folder of its own")
        }
    }

    deinit {
        // Closing alone would not do: a child that another thread is just starting has a copy of the descriptor.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
