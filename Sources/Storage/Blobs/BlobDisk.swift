internal import EventLoops
internal import Glibc

/// The steps on files that keeping blobs takes. All block.
enum BlobDisk {
    /// When a file was changed last, and how many bytes it has.
    struct Status {
        /// Milliseconds since 1970.
        let modified: Int64
        let count: Int
    }

    /// Makes a folder unless it is there; nobody else may look inside.
    static func makeFolder(_ path: String) throws(SystemError) {
        do throws(SystemError) {
            try syscall("mkdir", path) { unsafe mkdir(path, 0o700) }
        } catch {
            guard error.code == EEXIST else { throw error }
        }
    }

    /// Writes a new file; it is on the disk when this returns.
    static func write(_ bytes: [UInt8], to path: String) throws(SystemError) {
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC
        let descriptor = try syscall("open", path) { unsafe open(path, flags, 0o600) }
        defer { close(descriptor) }
        var start = 0
        while start < bytes.count {
            start += try syscall("write", path) {
                unsafe bytes.withUnsafeBytes { bytes in
                    unsafe Glibc.write(descriptor, bytes.baseAddress?.advanced(by: start), bytes.count - start)
                }
            }
        }
        try syscall("fsync", path) { fsync(descriptor) }
    }

    static func rename(_ from: String, to: String) throws(SystemError) {
        try syscall("rename", to) { unsafe Glibc.rename(from, to) }
    }

    /// Makes what was made, renamed or removed in a folder last.
    static func syncFolder(_ path: String) throws(SystemError) {
        let descriptor = try syscall("open", path) { unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        defer { close(descriptor) }
        try syscall("fsync", path) { fsync(descriptor) }
    }

    /// Nil when there is nothing at `path`.
    static func status(_ path: String) throws(SystemError) -> Status? {
        var status = stat()
        do throws(SystemError) {
            try syscall("lstat", path) { unsafe lstat(path, &status) }
        } catch {
            guard error.code == ENOENT else { throw error }
            return nil
        }
        let modified = Int64(status.st_mtim.tv_sec) * 1_000 + Int64(status.st_mtim.tv_nsec) / 1_000_000
        return Status(modified: modified, count: Int(status.st_size))
    }

    /// Says that a file was changed now.
    static func touch(_ path: String) throws(SystemError) {
        try syscall("utimensat", path) { unsafe utimensat(AT_FDCWD, path, nil, 0) }
    }

    /// Whether there was something to remove.
    static func remove(_ path: String) throws(SystemError) -> Bool {
        do throws(SystemError) {
            try syscall("unlink", path) { unsafe unlink(path) }
            return true
        } catch {
            guard error.code == ENOENT else { throw error }
            return false
        }
    }

    /// The names in a folder; none when it is not there.
    static func names(in folder: String) throws(SystemError) -> [String] {
        guard let stream = unsafe opendir(folder) else {
            let code = errno
            if code == ENOENT { return [] }
            throw SystemError(call: "opendir", code: code, subject: folder)
        }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        errno = 0
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) {
                unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
            errno = 0
        }
        guard errno == 0 else { throw SystemError(call: "readdir", code: errno, subject: folder) }
        return names
    }
}
