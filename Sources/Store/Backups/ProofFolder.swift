import Files
import FoundationEssentials
import Glibc

/// The folder that a proof brings things back into. One proof of a user has it at a time, and it goes away with this.
final class ProofFolder: Sendable {
    let path: String
    private let lock: FileLock

    /// Removes what a proof left that was killed. Blocks.
    /// - Parameters:
    ///   - scratch: a folder that is there.
    ///   - byteCount: what is to come into it, as far as that is known.
    init(in scratch: String, byteCount: Int = 0) throws {
        guard DiskFile.isFolder(scratch) else { throw BackupError("\(scratch) is no folder; --scratch names one") }
        path = "\(scratch)/waymark-proof-\(geteuid())"
        guard let lock = try FileLock("\(path).lock") else {
            throw BackupError("another proof uses \(path); try again when it has ended, or name another --scratch")
        }
        self.lock = lock
        try? FileManager.default.removeItem(atPath: path)
        let free = try DiskFile.freeBytes(in: scratch)
        guard UInt64(byteCount) + ScratchFolder.margin < free else {
            throw BackupError(
                "\(byteCount) bytes come back, and the disk of \(scratch) has room for \(free); --scratch names another"
                    + " folder")
        }
        try DiskFile.makeFolder(path)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
