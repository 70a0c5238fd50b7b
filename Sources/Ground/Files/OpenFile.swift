package import EventLoops
import Glibc

/// A file that is open for reading. Closed when it goes away.
package struct OpenFile: ~Copyable, Sendable {
    package let descriptor: Int32
    /// For messages.
    package let path: String

    package init(reading path: String) throws(SystemError) {
        self.path = path
        descriptor = try syscall("open", path) { unsafe open(path, O_RDONLY | O_CLOEXEC) }
    }

    deinit { close(descriptor) }

    /// Its size in bytes; nil when it is no ordinary file.
    package func size() throws(SystemError) -> UInt64? {
        var status = stat()
        try syscall("fstat", path) { unsafe fstat(descriptor, &status) }
        return status.st_mode & S_IFMT == S_IFREG ? UInt64(exactly: status.st_size) : nil
    }

    /// At most `limit` bytes from `offset`; fewer at the end only.
    package func read(at offset: UInt64, limit: Int) throws(SystemError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: limit)
        var filled = 0
        while filled < limit {
            let position = off_t(clamping: offset + UInt64(filled))
            let count = try syscall("read", path) {
                unsafe bytes.withUnsafeMutableBytes {
                    unsafe pread(descriptor, $0.baseAddress?.advanced(by: filled), limit - filled, position)
                }
            }
            if count == 0 { break }
            filled += count
        }
        bytes.removeLast(limit - filled)
        return bytes
    }
}

/// A descriptor that closes itself.
package final class Descriptor: Sendable {
    package let number: Int32

    /// Takes over an open descriptor.
    package init(owning number: Int32) { self.number = number }

    /// A file to append to, made when it is not there, for its owner only.
    package static func appending(to path: String) throws(SystemError) -> Descriptor {
        let number = unsafe open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard number >= 0 else { throw SystemError(call: "open", code: errno, subject: path) }
        return Descriptor(owning: number)
    }

    /// A file that is not there yet, for its owner only.
    package static func making(_ path: String) throws(SystemError) -> Descriptor {
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
        return Descriptor(owning: try syscall("open", path) { unsafe open(path, flags, 0o600) })
    }

    /// A file that is there, to be written at any place.
    package static func writing(to path: String) throws(SystemError) -> Descriptor {
        Descriptor(owning: try syscall("open", path) { unsafe open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW) })
    }

    deinit { close(number) }
}
