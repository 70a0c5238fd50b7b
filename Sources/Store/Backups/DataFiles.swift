import Bytes
import EventLoops
import Files
import Storage

/// The files of a data folder that a backup holds. What the programs make again is left out, and so are secrets unless
/// the backup is sealed.
struct DataFiles: Sendable {
    /// One of them.
    struct Entry: Equatable, Sendable {
        let byteCount: Int
        let modified: Int64
    }

    /// "pins/pins.db" and its like.
    var databases: [String] = []
    /// All others, by their paths.
    var others: [String: Entry] = [:]

    /// Folders and files that are made again, or are of this machine alone.
    private static let leftOut = [
        "logs", "lock", "entrance.json", "backup", "replicated", RestoreRun.mark, "gateway/backup.json",
        "gateway/pictures",
        "pins/imports",
        "photos/blob-cache",
        "photos/blobs/tmp",
        "places/discovered", "places/streets", "places/uploads", "places/verify",
    ]
    private static let secrets = ["key", "token", "tls"]
    private static let bundledNames = "places/gazetteer"

    /// Looks at what is in a data folder now. Blocks.
    init(in folder: String, withSecrets: Bool) throws {
        for path in try SmallFile.names(under: folder) where Self.isKept(path, withSecrets: withSecrets) {
            guard !DiskFile.isLink("\(folder)/\(path)") else {
                throw BackupError(
                    "\(folder)/\(path) is a link, and a backup would not have what it leads to: mount that there instead"
                )
            }
            guard let status = try DiskFile.status("\(folder)/\(path)"), DiskFile.isFile("\(folder)/\(path)")
            else { continue }
            if Self.isDatabase(path) {
                databases.append(path)
            } else {
                others[path] = Entry(byteCount: status.byteCount, modified: status.modified)
            }
        }
    }

    /// Whether a path leads nowhere else.
    static func isInside(_ path: String) -> Bool {
        !path.isEmpty && !path.begins(with: "/") && !path.utf8.contains(0)
            && path.split(at: "/", omittingEmptySubsequences: false).allSatisfy {
                !$0.isEmpty && !$0.isSame(as: ".") && !$0.isSame(as: "..")
            }
    }

    /// A file of a service that ends so, and which SQLite writes.
    static func isDatabase(_ path: String) -> Bool { path.ends(with: ".db") && path.split(at: "/").count == 2 }

    /// Whether its name says what its bytes are.
    static func isNamedByContent(_ path: String) -> Bool { path.begins(with: "photos/blobs/") }

    /// The name that says so: "photos/blobs/ab/cdef…"; nil for all others.
    static func contentName(_ path: String) -> BlobName? {
        let parts = path.split(at: "/")
        return isNamedByContent(path) && parts.count == 4 ? BlobName(parts[2] + parts[3]) : nil
    }

    /// A dataset is several files, of which one names the others.
    static func isOfDataset(_ path: String) -> Bool { path.begins(with: "places/datasets/") }

    private static func isKept(_ path: String, withSecrets: Bool) -> Bool {
        func isBelow(_ folder: String) -> Bool { path.isSame(as: folder) || path.begins(with: folder + "/") }
        if leftOut.contains(where: isBelow) || path.begins(with: bundledNames) { return false }
        if !withSecrets, secrets.contains(where: isBelow) { return false }
        let endings = ["/lock", ".db-wal", ".db-shm", ".db-journal", ".db-followed", ".making", ".partial"]
        return !endings.contains { path.ends(with: $0) }
    }
}
