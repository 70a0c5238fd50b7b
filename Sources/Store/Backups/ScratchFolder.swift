import Bytes
import EventLoops
import Files
import FoundationEssentials

/// The folder in a data folder where a backup copies databases to; it goes away with this. One backup of a data folder
/// at a time has it.
final class ScratchFolder: Sendable {
    let path: String
    /// Of the data folder; a restored one goes on with that of its backup.
    let source: String
    private let lock: FileLock

    /// Removes what a backup left that was killed. Blocks.
    init(in folder: String) throws {
        let own = "\(folder)/backup"
        try DiskFile.makeFolder(own)
        guard let lock = try FileLock("\(own)/lock") else {
            throw BackupError("another waymark backup reads \(folder); try again when it has ended")
        }
        self.lock = lock
        source = try Self.source(of: folder)
        path = "\(own)/copy"
        try? FileManager.default.removeItem(atPath: path)
        try DiskFile.makeFolder(path)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    private static let longest = 100

    private static func source(of folder: String) throws -> String {
        let path = "\(folder)/backup/source"
        if try DiskFile.exists(path) { return String(decoding: try SmallFile.read(path, limit: longest), as: UTF8.self) }
        let drawn = String(UInt64.random(in: 0 ... .max), radix: 16)
        try write(drawn, of: folder)
        return drawn
    }

    /// Says whose backups those of a data folder are. Blocks.
    static func write(_ source: String, of folder: String) throws(SystemError) {
        try DiskFile.makeFolder("\(folder)/backup")
        try DiskFile.replace("\(folder)/backup/source", with: Array(source.utf8))
    }

    /// Empties it. Blocks.
    func clear() throws {
        try FileManager.default.removeItem(atPath: path)
        try DiskFile.makeFolder(path)
    }

    /// Where the copy of a database is.
    func copy(of database: String) -> String { "\(path)/\(database.split(at: "/").joined(separator: "-"))" }
}
