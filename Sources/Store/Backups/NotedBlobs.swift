import Bytes
import Files

/// The note of a data folder whose pictures and datasets are not in it: `waymark up --blobs` keeps it.
package enum NotedBlobs {
    private static let longest = 4_096

    /// The bucket that a folder names, without how it is reached; nil where pictures are in the folder. Blocks.
    package static func place(of folder: String) throws -> String? {
        let note = path(in: folder)
        guard try DiskFile.exists(note) else { return nil }
        return String(decoding: try SmallFile.read(note, limit: longest), as: UTF8.self)
    }

    /// Notes where they are; nil for in the folder. Blocks.
    package static func note(_ place: String?, in folder: String) throws {
        guard let place else { return try DiskFile.remove(path(in: folder)) }
        try DiskFile.replace(path(in: folder), with: Array(place.utf8))
    }

    /// The same text for the same place: without how it is reached.
    package static func plain(_ address: String) -> String {
        var place = address.until("?")
        while place.ends(with: "/") { place.removeLast() }
        return String(place)
    }

    /// Whether a text can be one of a note: others may have written to the place of a backup.
    static func isSound(_ place: String) -> Bool { BackupStore.isBucket(place) && place.utf8.count <= longest }

    private static func path(in folder: String) -> String { "\(folder)/blobs" }
}
