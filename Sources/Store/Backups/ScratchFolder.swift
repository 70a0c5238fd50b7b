import Bytes
import EventLoops
import Files
import FoundationEssentials

/// The folder in a data folder where a backup copies databases to; it goes away with this. One backup of a data folder
/// at a time has it.
final class ScratchFolder: Sendable {
    let path: String
    /// Names the data folder: not a copy of it, and not one that was restored.
    let source: String
    private let lock: FileLock
    /// A file from a start that found a killed backup until what that left was removed.
    private let killed: String

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
        killed = "\(own)/killed"
        if try DiskFile.exists(path), try !DiskFile.exists(killed) { try DiskFile.create(killed, byteCount: 0) }
        try? FileManager.default.removeItem(atPath: path)
        try DiskFile.makeFolder(path)
        FolderOwner(of: folder)?.give(own)
    }

    /// Whether a backup was killed before `time`, in seconds since 1970: packs that it has stored are used by none.
    func hasKilled(before time: Int64) -> Bool {
        guard let status = try? DiskFile.status(killed) else { return false }
        return status.modified / 1_000 < time
    }

    /// What they left was removed.
    func forgetKilled() throws(SystemError) { try DiskFile.remove(killed) }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    private static let longest = 100
    /// Bytes that are left to services on a disk that a copy is made on.
    static let margin: UInt64 = 64 << 20

    private static func source(of folder: String) throws -> String {
        let path = "\(folder)/backup/source"
        if try DiskFile.exists(path) {
            let words = String(decoding: try SmallFile.read(path, limit: longest), as: UTF8.self).split(at: " ")
            // In a copy of the folder the file has another number than the one that it says.
            if words.count == 2, UInt64(words[1]) == DiskFile.number(of: path) { return String(words[0]) }
            try DiskFile.remove(path)
        }
        let drawn = String(UInt64.random(in: 0 ... .max), radix: 16)
        try DiskFile.create(path, byteCount: 0)
        let file = try Descriptor.writing(to: path)
        let text = "\(drawn) \(DiskFile.number(of: path) ?? 0)"
        try DiskFile.writeAll(Array(text.utf8), to: file.number, at: 0, path)
        return drawn
    }

    /// Empties it. Blocks.
    func clear() throws {
        try FileManager.default.removeItem(atPath: path)
        try DiskFile.makeFolder(path)
    }

    /// That the disk has room for copies of databases. Blocks.
    func requireRoom(for databases: [String]) throws {
        var needed = Self.margin
        for path in databases { needed += UInt64(try DiskFile.status(path)?.byteCount ?? 0) }
        let free = try DiskFile.freeBytes(in: path)
        guard needed < free else {
            throw BackupError(
                "copies of the databases need \(needed) bytes in \(path), and its disk has room for \(free); make room")
        }
    }

    /// Where the copy of a database is.
    func copy(of database: String) -> String { "\(path)/\(database.split(at: "/").joined(separator: "-"))" }
}
