import CLinux
package import EventLoops
import Glibc

/// The steps on files and folders that keeping something takes, each safe against a crash in its middle. All block.
package enum DiskFile {
    /// When a file was changed last, and how many bytes it has.
    package struct Status: Sendable {
        /// Milliseconds since 1970.
        package let modified: Int64
        package let byteCount: Int
    }

    /// Puts `bytes` at `path` so that after a crash there is either what was before or all of the new.
    package static func replace(_ path: String, with bytes: [UInt8]) throws(SystemError) {
        let partial = path + ".partial"
        do throws(SystemError) {
            try write(bytes, to: partial, O_TRUNC)
            try rename(partial, to: path)
            try sync(folder: folder(of: path))
        } catch {
            _ = unsafe unlink(partial)
            throw error
        }
    }

    /// Writes a file that is not there yet; it is on the disk when this returns.
    package static func create(_ path: String, with bytes: [UInt8]) throws(SystemError) {
        try write(bytes, to: path, O_EXCL)
    }

    /// Makes a file of so many bytes, all 0, that is not there yet.
    package static func create(_ path: String, byteCount: Int) throws(SystemError) {
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC
        let descriptor = try syscall("open", path) { unsafe open(path, flags, 0o600) }
        defer { close(descriptor) }
        try syscall("ftruncate", path) { ftruncate(descriptor, byteCount) }
    }

    /// Brings all that was written to the disk that holds a folder onto it.
    package static func syncAll(on folder: String) throws(SystemError) {
        let descriptor = try syscall("open", folder) { unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        defer { close(descriptor) }
        try syscall("syncfs", folder) { waymark_sync_disk(descriptor) }
    }

    /// Puts what is at one path at another, in one step. It survives a power cut once its folder is synced.
    package static func rename(_ from: String, to path: String) throws(SystemError) {
        try syscall("rename", path) { unsafe Glibc.rename(from, path) }
    }

    /// Gives a file that is on its disk another name too. Blocks.
    package static func link(_ path: String, as other: String) throws(SystemError) {
        let descriptor = try syscall("open", path) { unsafe open(path, O_RDONLY | O_CLOEXEC) }
        defer { close(descriptor) }
        try syscall("fsync", path) { fsync(descriptor) }
        do throws(SystemError) {
            try syscall("link", other) { unsafe Glibc.link(path, other) }
        } catch {
            guard [EPERM, EOPNOTSUPP, ENOSYS, EMLINK].contains(error.code) else { throw error }
            try copy(descriptor, path, to: other)
        }
    }

    /// For disks that give a file one name alone.
    private static func copy(_ source: Int32, _ path: String, to other: String) throws(SystemError) {
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC
        let target = try syscall("open", other) { unsafe open(other, flags, 0o600) }
        defer { close(target) }
        var (piece, offset) = ([UInt8](repeating: 0, count: 1 << 20), 0)
        while true {
            let count = try syscall("pread", path) { unsafe pread(source, &piece, piece.count, offset) }
            if count == 0 { break }
            try writeAll(Array(piece[..<count]), to: target, at: offset, other)
            offset += count
        }
        try syscall("fsync", other) { fsync(target) }
    }

    /// Removes a file; one that is not there is fine.
    package static func remove(_ path: String) throws(SystemError) { _ = try removeIfThere(path) }

    /// Removes a file; whether it was there.
    package static func removeIfThere(_ path: String) throws(SystemError) -> Bool {
        do throws(SystemError) {
            try syscall("unlink", path) { unsafe unlink(path) }
            return true
        } catch {
            guard error.code == ENOENT else { throw error }
            return false
        }
    }

    /// Nil when there is nothing at `path`. A link is not followed.
    package static func status(_ path: String) throws(SystemError) -> Status? {
        var status = stat()
        do throws(SystemError) {
            try syscall("lstat", path) { unsafe lstat(path, &status) }
        } catch {
            guard error.code == ENOENT else { throw error }
            return nil
        }
        let modified = Int64(status.st_mtim.tv_sec) * 1_000 + Int64(status.st_mtim.tv_nsec) / 1_000_000
        return Status(modified: modified, byteCount: Int(status.st_size))
    }

    /// Whether there is something at the path. Where nothing can be seen is an error, and not nothing.
    package static func exists(_ path: String) throws(SystemError) -> Bool {
        do throws(SystemError) {
            var status = stat()
            try syscall("stat", path) { unsafe stat(path, &status) }
            return true
        } catch {
            guard error.code == ENOENT || error.code == ENOTDIR else { throw error }
            return false
        }
    }

    /// Says that a file was changed now.
    package static func touch(_ path: String) throws(SystemError) {
        try syscall("utimensat", path) { unsafe utimensat(AT_FDCWD, path, nil, 0) }
    }

    /// Writes all bytes at an offset of an open file.
    package static func writeAll(
        _ bytes: [UInt8], to descriptor: Int32, at offset: Int, _ path: String
    ) throws(SystemError) {
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

    private static func write(_ bytes: [UInt8], to path: String, _ mode: Int32) throws(SystemError) {
        let flags = O_WRONLY | O_CREAT | O_CLOEXEC | mode
        let descriptor = try syscall("open", path) { unsafe open(path, flags, 0o600) }
        defer { close(descriptor) }
        try writeAll(bytes, to: descriptor, at: 0, path)
        bringToDisk(descriptor, byteCount: bytes.count)
        try syscall("fsync", path) { fsync(descriptor) }
    }

    /// Bytes of a file that are on their way to the disk at the same time.
    private static let stretch = 256 << 10

    /// Brings a file to its disk bit by bit, before an `fsync`, which would hand all of it to the disk at once: one who
    /// flushes a small change in the same moment waits for no more than a stretch of it.
    ///
    /// It promises nothing, as the disk may keep bytes in its memory; and a file system that can't do it does it all
    /// when it is flushed.
    private static func bringToDisk(_ descriptor: Int32, byteCount: Int) {
        guard byteCount > stretch else { return }
        for start in stride(from: 0, to: byteCount, by: stretch) {
            guard waymark_write_back(descriptor, start, min(stretch, byteCount - start)) == 0 else { return }
        }
    }
}
