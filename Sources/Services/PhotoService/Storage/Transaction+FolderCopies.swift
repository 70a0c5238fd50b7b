import Storage
import Stores

/// A file of the folder with the same bytes as one that is a photo.
struct FolderCopy: Sendable {
    let path: String
    /// The path of that one.
    let original: String

    /// A text for people.
    var reason: String { "it is a copy of \(original), which is shown" }
}

extension Transaction {
    /// The most copies of a photo that are named.
    private static var namedCopies: Int { 16 }

    /// The photo that a file is a copy of: one with its bytes whose file is there. What a person wrote beside it, in a
    /// file of XMP, tells it from those that have none, or another one.
    func copy(_ scanned: ScannedFile, _ id: PhotoID, of walk: FolderList) throws(SQLError) -> FolderCopy? {
        let notes = scanned.digest?.notes
        let others = try others(like: scanned, id).filter { notes == nil || $0.notes == notes }
        return others.first { walk.mayHave($0.path) }.map { FolderCopy(path: scanned.file.path, original: $0.path) }
    }

    /// A photo with notes beside it is shown in place of its copies without.
    func supersede(_ scanned: ScannedFile, _ id: PhotoID, of walk: FolderList, at time: Int64) throws(SQLError) {
        guard scanned.digest?.notes != nil else { return }
        for other in try others(like: scanned, id) where other.notes == nil && walk.mayHave(other.path) {
            let copy = FolderCopy(path: other.path, original: scanned.file.path)
            let moved = try rows("SELECT path FROM unusable_files WHERE copy_of = ?1", other.path) {
                row throws(SQLError) in try row.text(0)
            }
            for path in moved {
                let reason = FolderCopy(path: path, original: copy.original).reason
                try execute(
                    "UPDATE unusable_files SET copy_of = ?2, reason = ?3 WHERE path = ?1", path, copy.original, reason)
            }
            try take(copy, other.file, at: time)
        }
    }

    /// Records a copy. If it was a photo, its favourites are those of the other.
    func take(_ copy: FolderCopy, _ file: FoundFile, at time: Int64) throws(SQLError) {
        try putUnusable(file, reason: copy.reason, copyOf: copy.original)
        try replace(copy.path, by: copy.original, at: time)
    }

    /// What photos with the same bytes had whose files are there no more.
    func inherit(_ scanned: ScannedFile, _ id: PhotoID, of walk: FolderList, at time: Int64) throws(SQLError) {
        for other in try others(like: scanned, id, isThere: false) where !walk.mayHave(other.path) {
            try replace(other.path, by: scanned.file.path, at: time)
        }
    }

    /// The file that one was a copy of; empty for none.
    func original(ofCopy path: String) throws(SQLError) -> String {
        try first("SELECT copy_of FROM unusable_files WHERE path = ?1", path) { row throws(SQLError) in try row.text(0)
        }
            ?? ""
    }

    /// Has a photo name its copies as they are now.
    func listCopies(of path: String) throws(SQLError) {
        let copies = try rows(
            "SELECT path FROM unusable_files WHERE copy_of = ?1 ORDER BY path LIMIT ?2", path, Self.namedCopies
        ) { row throws(SQLError) in try row.text(0) }
        try execute(
            "UPDATE photos SET copies = ?2, version = ?3 WHERE id = 'folder/' || ?1", path,
            copies.joined(separator: "\n"), try nextVersion())
    }

    /// When the bytes of a photo are others now, what were copies of it are read again.
    func forgetCopies(of path: String, unless digest: FileDigest?, at time: Int64) throws(SQLError) {
        let earlier = try first("SELECT digest FROM photos WHERE id = 'folder/' || ?1", path) { row throws(SQLError) in
            try row.optionalBlob(0)
        }
        if let digest, earlier == digest.picture { return }
        let copies = try rows("SELECT path FROM unusable_files WHERE copy_of = ?1", path) { row throws(SQLError) in
            try row.text(0)
        }
        guard !copies.isEmpty else { return }
        try execute("DELETE FROM unusable_files WHERE copy_of = ?1", path)
        try listCopies(of: path)
        try enqueue("scan", ScanJob.key, at: time)
    }

    /// A photo of the folder with the bytes of another one.
    private typealias Alike = (file: FoundFile, path: String, notes: [UInt8]?)

    /// Photos of the folder with the bytes of a file, the first known first.
    private func others(
        like scanned: ScannedFile, _ id: PhotoID, isThere: Bool = true
    ) throws(SQLError) -> [Alike] {
        guard let digest = scanned.digest else { return [] }
        let found = try rows(
            """
            SELECT id, byte_count, modified_ns, notes_digest FROM photos
            WHERE digest = ?1 AND id <> ?2 AND network = 'folder' AND (cell <> -1 OR ?3 = FALSE) ORDER BY number
            """, digest.picture, id.text, isThere
        ) { row throws(SQLError) -> Alike in
            let path = try row.photoID(0).providerID
            let file = FoundFile(
                path: path, size: try row.integer(1), modifiedNs: try row.integer(2), problem: nil)
            return (file, path, try row.optionalBlob(3))
        }
        return found
    }

    /// A photo goes from all albums and favourites, where another one comes in its place.
    private func replace(_ path: String, by other: String, at time: Int64) throws(SQLError) {
        guard let old = PhotoID("\(PhotoID.folderNetwork)/\(path)"),
            let new = PhotoID("\(PhotoID.folderNetwork)/\(other)"), try photo(old) != nil
        else { return }
        try moveFavourites(of: old, to: new, at: time)
        try leaveOut(old)
        try execute("UPDATE photos SET digest = NULL WHERE id = ?1", old.text)
    }
}
