import EventLoops
import Glibc

/// An open file. Closed when it goes away.
struct File: ~Copyable, Sendable {
    let descriptor: Int32
    /// For messages.
    let path: String

    init(reading path: String) throws(SystemError) {
        self.path = path
        descriptor = try syscall("open", path) { unsafe open(path, O_RDONLY | O_CLOEXEC) }
    }

    deinit { close(descriptor) }

    /// Its size in bytes; nil when it is no ordinary file.
    func size() throws(SystemError) -> UInt64? {
        var status = stat()
        try syscall("fstat", path) { unsafe fstat(descriptor, &status) }
        return status.st_mode & S_IFMT == S_IFREG ? UInt64(exactly: status.st_size) : nil
    }

    /// At most `limit` bytes from `offset`; fewer at the end only.
    func read(at offset: UInt64, limit: Int) throws(SystemError) -> [UInt8] {
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
