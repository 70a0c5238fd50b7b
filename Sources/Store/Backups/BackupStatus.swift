internal import EventLoops
internal import Files
internal import FoundationEssentials

/// How the backups of a data folder stand: a file in it, for those who look after it.
package struct BackupStatus: Codable, Equatable, Sendable {
    /// Where they are.
    package var place: String
    /// Seconds since 1970: when the last one was made, and when one was last proven to be whole; nil for never.
    package var made: Int64?
    package var proven: Int64?
    /// How many were made since then.
    package var unproven = 0
    /// Why the last try failed, and when; nil when it did not.
    package var failure: String?
    package var failed: Int64?

    package init(place: String) { self.place = place }

    private static func path(in folder: String) -> String { "\(folder)/backup/status.json" }
    private static let longest = 64 << 10

    /// Nil when no backup of the folder was tried yet. Blocks.
    package static func read(of folder: String) throws -> BackupStatus? {
        guard try DiskFile.exists(path(in: folder)) else { return nil }
        let bytes = try SmallFile.read(path(in: folder), limit: longest)
        return try JSONDecoder().decode(BackupStatus.self, from: Data(bytes))
    }

    /// Blocks.
    package func write(to folder: String) throws {
        try DiskFile.makeFolder("\(folder)/backup")
        try DiskFile.replace(Self.path(in: folder), with: Array(try JSONEncoder().encode(self)))
    }
}
