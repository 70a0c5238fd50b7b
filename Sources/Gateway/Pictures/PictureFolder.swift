import Daemon
import EventLoops
import Glibc

/// The folder of the picture cache: files named by the SHA-256 of their bytes, which are whole, and files that are
/// being written. Anybody may empty it at any time. All of it blocks.
struct PictureFolder: Sendable {
    /// A file that is being written.
    struct Draft: Sendable {
        let path: String
        let file: PictureFile
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

    /// Begins a file; makes the folder anew when it is gone.
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

    /// Gives a written file its name. It is not made to reach the disk first: whether a crash has left it whole is seen
    /// when it is opened the next time.
    func keep(_ draft: Draft, as sha256: String) throws(SystemError) {
        try syscall("rename", draft.path) { unsafe rename(draft.path, path(of: sha256)) }
    }

    /// Removes a file that was not kept, if it is still there.
    func drop(_ draft: Draft) { unsafe unlink(draft.path) }

    /// Nil when there is no such file, or it has not as many bytes as it should; one that is not `isProven` is read
    /// whole, and has to have the right ones.
    func open(_ facts: PictureFacts, isProven: Bool) -> PictureFile? {
        let descriptor = unsafe Glibc.open(path(of: facts.sha256), O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        let file = PictureFile(owning: descriptor)
        guard let count = try? file.count(), count == facts.byteCount else { return nil }
        return isProven || (try? file.sha256()) == facts.sha256 ? file : nil
    }

    func remove(_ names: [String]) {
        for name in names { unsafe unlink(path(of: name)) }
    }

    /// What is there, the oldest first. Files that somebody left half written are removed; others are left alone.
    func scan() throws(SystemError) -> [Entry] {
        try makeFolder()
        var entries: [Entry] = []
        for name in try names() {
            if name.hasPrefix(Self.draftPrefix) { unsafe unlink(path(of: name)) }
            var status = stat()
            guard PictureFacts.isDigest(name), unsafe lstat(path(of: name), &status) == 0 else { continue }
            entries.append(
                Entry(sha256: name, byteCount: Int(status.st_size), modified: status.st_mtim.tv_sec))
        }
        return entries.sorted { $0.modified < $1.modified }
    }

    private func path(of name: String) -> String { "\(path)/\(name)" }

    private func create(_ path: String) throws(SystemError) -> PictureFile {
        let flags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC
        return PictureFile(owning: try syscall("open", path) { unsafe Glibc.open(path, flags, 0o600) })
    }

    private func makeFolder() throws(SystemError) {
        do {
            try DataFolder.make(path)
        } catch {
            throw SystemError(call: "mkdir", code: errno, subject: path)
        }
    }

    /// The names of everything in it.
    func names() throws(SystemError) -> [String] {
        guard let stream = unsafe opendir(path) else {
            throw SystemError(call: "opendir", code: errno, subject: path)
        }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            names.append(
                unsafe withUnsafeBytes(of: &entry.pointee.d_name) {
                    unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
                })
        }
        return names
    }
}
