import Bytes
import EventLoops
import Files
import FoundationEssentials

/// The folder in a data folder where a backup copies databases to; it goes away with this. One backup of a data folder
/// at a time has it.
final class ScratchFolder: Sendable {
    let path: String
    private let lock: FileLock

    /// Removes what a backup left that was killed. Blocks.
    init(in folder: String) throws {
        let own = "\(folder)/backup"
        try DiskFile.makeFolder(own)
        guard let lock = try FileLock("\(own)/lock") else {
            throw BackupError("another waymark backup reads \(folder); try again when it has ended")
        }
        self.lock = lock
        path = "\(own)/copy"
        try? FileManager.default.removeItem(atPath: path)
        try DiskFile.makeFolder(path)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Empties it. Blocks.
    func clear() throws {
        try FileManager.default.removeItem(atPath: path)
        try DiskFile.makeFolder(path)
    }

    /// Where the copy of a database is.
    func copy(of database: String) -> String { "\(path)/\(database.split(at: "/").joined(separator: "-"))" }
}
