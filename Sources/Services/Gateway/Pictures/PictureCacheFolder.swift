import Bytes
import EventLoops
import Files
import Glibc

/// The folder of the picture cache: files named by the SHA-256 of their bytes, which are whole, and files that are
/// being written. It may be emptied at any time. All calls block.
struct PictureCacheFolder: Sendable {
    /// A file that is being written.
    struct Draft: Sendable {
        let path: String
        let file: CachedPictureFile
    }

    /// A whole file.
    struct Entry: Sendable {
        let sha256: String
        let byteCount: Int
        /// Seconds since 1970.
        let modified: Int
    }

    private static let draftPrefix = "draft-"

    let path: String

    /// Begins a file; creates the folder again when it is missing.
    func draft() throws(SystemError) -> Draft {
        let path = "\(path)/\(Self.draftPrefix)\(UInt64.random(in: 0 ... .max))"
        do throws(SystemError) {
            return Draft(path: path, file: try create(path))
        } catch {
            guard error.code == ENOENT else { throw error }
            try makeFolder()
            return Draft(path: path, file: try create(path))
        }
    }

    /// Gives a written file its name. It is not flushed to the disk first: whether it survived a crash whole is checked
    /// when it is next opened.
    func keep(_ draft: Draft, as sha256: String) throws(SystemError) {
        try DiskFile.rename(draft.path, to: path(of: sha256))
    }

    /// Removes a file that was not kept, if it is still there.
    func drop(_ draft: Draft) { try? DiskFile.remove(draft.path) }

    /// Nil when there is no such file, or it has not as many bytes as it should; one that is not `isProven` is read
    /// whole, and has to have the right ones.
    func open(_ facts: CachedPictureFacts, isProven: Bool) -> CachedPictureFile? {
        let descriptor = unsafe Glibc.open(path(of: facts.sha256), O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        let file = CachedPictureFile(owning: descriptor)
        guard let count = try? file.count(), count == facts.byteCount else { return nil }
        return isProven || (try? file.sha256()) == facts.sha256 ? file : nil
    }

    func remove(_ names: [String]) {
        for name in names { try? DiskFile.remove(path(of: name)) }
    }

    /// The files in it, the oldest first. Files left half written are removed; files of other kinds are left alone.
    func scan() throws(SystemError) -> [Entry] {
        try makeFolder()
        var entries: [Entry] = []
        for name in try names() {
            if name.begins(with: Self.draftPrefix) { try? DiskFile.remove(path(of: name)) }
            var status = stat()
            guard CachedPictureFacts.isDigest(name), unsafe lstat(path(of: name), &status) == 0 else { continue }
            entries.append(
                Entry(sha256: name, byteCount: Int(status.st_size), modified: status.st_mtim.tv_sec))
        }
        return entries.sorted { $0.modified < $1.modified }
    }

    private func path(of name: String) -> String { "\(path)/\(name)" }

    private func create(_ path: String) throws(SystemError) -> CachedPictureFile {
        let flags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC
        return CachedPictureFile(owning: try syscall("open", path) { unsafe Glibc.open(path, flags, 0o600) })
    }

    private func makeFolder() throws(SystemError) { try DiskFile.makeFolder(path) }

    /// The names of everything in it.
    func names() throws(SystemError) -> [String] { try DiskFile.names(in: path) }
}
