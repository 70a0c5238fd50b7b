import EventLoops
import Geo
import Glibc

/// The few steps on files that a catalog needs, each safe against a crash in its middle. All block.
enum DiskFile {
    /// Puts `bytes` at `path` so that after a crash there is either what was before or all of the new.
    static func replace(_ path: String, with bytes: [UInt8]) throws(SystemError) {
        let partial = path + ".partial"
        do throws(SystemError) {
            try write(bytes, to: partial)
            try syscall("rename", path) { unsafe rename(partial, path) }
            try syncFolder(of: path)
        } catch {
            _ = unsafe unlink(partial)
            throw error
        }
    }

    /// Makes a folder, and those above it, unless they are there; nobody else may look inside.
    static func makeFolder(_ path: String) throws(SystemError) {
        if isFolder(path) { return }
        let parent = folder(of: path)
        if parent != path { try makeFolder(parent) }
        do throws(SystemError) {
            try syscall("mkdir", path) { unsafe mkdir(path, 0o700) }
        } catch {
            guard error.code == EEXIST else { throw error }
        }
    }

    /// Removes a file; one that is not there is fine.
    static func remove(_ path: String) throws(SystemError) {
        do throws(SystemError) {
            try syscall("unlink", path) { unsafe unlink(path) }
        } catch {
            guard error.code == ENOENT else { throw error }
        }
    }

    /// Makes what was renamed or removed in a file's folder last.
    static func syncFolder(of path: String) throws(SystemError) {
        let folder = folder(of: path)
        let descriptor = try syscall("open", folder) { unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        defer { close(descriptor) }
        try syscall("fsync", folder) { fsync(descriptor) }
    }

    static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

    /// The names in a folder, sorted; empty when it is not there.
    static func names(in folder: String) -> [String] {
        guard let stream = unsafe opendir(folder) else { return [] }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
                unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// Bytes that a process of ours can still write there.
    static func freeBytes(in folder: String) throws(SystemError) -> UInt64 {
        var status = statvfs()
        try syscall("statvfs", folder) { unsafe statvfs(folder, &status) }
        return UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize)).partialValue
    }

    /// The folder that a file is in.
    static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private static func write(_ bytes: [UInt8], to path: String) throws(SystemError) {
        let flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC
        let descriptor = try syscall("open", path) { unsafe open(path, flags, 0o600) }
        defer { close(descriptor) }
        try writeAll(bytes, to: descriptor, at: 0, path)
        try syscall("fsync", path) { fsync(descriptor) }
    }

    /// Writes all bytes at an offset of an open file.
    static func writeAll(_ bytes: [UInt8], to descriptor: Int32, at offset: Int, _ path: String) throws(SystemError) {
        var start = 0
        while start < bytes.count {
            start += try syscall("pwrite", path) {
                unsafe bytes.withUnsafeBytes { bytes in
                    unsafe pwrite(
                        descriptor, bytes.baseAddress?.advanced(by: start), bytes.count - start, offset + start)
                }
            }
        }
    }
}

extension PlacesError {
    /// What a refused system call means; `what` says what was being done.
    init(_ error: SystemError, _ what: String) {
        self = Self.isFull(error.code) ? .diskFull(what: what) : .storage(what: what, reason: "\(error)")
    }

    /// What an error of a snapshot file means.
    init(_ error: GeoError, _ what: String) {
        switch error {
        case .system(_, let code, _) where Self.isFull(code): self = .diskFull(what: what)
        case .corrupt, .unsupportedVersion: self = .damaged(what: "\(error)")
        case .system, .outOfRange, .staleFilter: self = .storage(what: what, reason: "\(error)")
        }
    }

    private static func isFull(_ code: Int32) -> Bool { [ENOSPC, EDQUOT, EFBIG].contains(code) }

    /// Runs steps on files and says what they were for when they fail.
    static func converting<R>(_ what: String, _ body: () throws(SystemError) -> R) throws(PlacesError) -> R {
        do throws(SystemError) {
            return try body()
        } catch {
            throw PlacesError(error, what)
        }
    }
}
