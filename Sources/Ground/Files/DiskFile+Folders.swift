package import EventLoops
import Glibc

extension DiskFile {
    /// Makes a folder and its missing parents; only their owner can read them.
    package static func makeFolder(_ path: String) throws(SystemError) {
        if isFolder(path) { return }
        let parent = folder(of: path)
        if parent != path { try makeFolder(parent) }
        do throws(SystemError) {
            try syscall("mkdir", path) { unsafe mkdir(path, 0o700) }
        } catch {
            guard error.code == EEXIST else { throw error }
            guard isFolder(path) else { throw SystemError(call: "mkdir", code: ENOTDIR, subject: path) }
        }
    }

    package static func isFolder(_ path: String, followsLink: Bool = true) -> Bool {
        var status = stat()
        let code = followsLink ? unsafe stat(path, &status) : unsafe lstat(path, &status)
        return code == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Whether a path is that of a folder, or of something in it, wherever links lead.
    package static func isBelow(_ path: String, _ folder: String) -> Bool {
        func real(_ path: String) -> String? {
            guard let found = unsafe realpath(path, nil) else { return nil }
            defer { unsafe free(found) }
            return unsafe String(cString: found)
        }
        guard let inner = real(path), let outer = real(folder) else { return false }
        return (inner + "/").utf8.starts(with: (outer + "/").utf8)
    }

    package static func isLink(_ path: String) -> Bool {
        var status = stat()
        return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
    }

    /// A number that two folders share only when they are on the same disk; nil when there is none.
    package static func disk(of path: String) -> UInt64? {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? UInt64(status.st_dev) : nil
    }

    /// The number of a file on its disk; a copy has another one.
    package static func number(of path: String) -> UInt64? {
        var status = stat()
        return unsafe lstat(path, &status) == 0 ? UInt64(status.st_ino) : nil
    }

    /// Whether there is an ordinary file, not a link to one.
    package static func isFile(_ path: String) -> Bool {
        var status = stat()
        return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// The folder that a file is in.
    package static func folder(of path: String) -> String {
        guard let slash = path.unicodeScalars.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Makes what was made, renamed or removed in a folder last.
    package static func sync(folder: String) throws(SystemError) {
        let descriptor = try syscall("open", folder) { unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        defer { close(descriptor) }
        try syscall("fsync", folder) { fsync(descriptor) }
    }

    /// Makes what was renamed or removed in a file's folder last.
    package static func syncFolder(of path: String) throws(SystemError) { try sync(folder: folder(of: path)) }

    /// The names in a folder, sorted; empty when it is not there. One that can't be read is not empty.
    package static func names(in folder: String) throws(SystemError) -> [String] {
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
        return names.sorted()
    }

    /// Bytes that a process of ours can still write there.
    package static func freeBytes(in folder: String) throws(SystemError) -> UInt64 {
        var status = statvfs()
        try syscall("statvfs", folder) { unsafe statvfs(folder, &status) }
        return UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize)).partialValue
    }
}
