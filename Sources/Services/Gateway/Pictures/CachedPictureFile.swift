import Crypto
import EventLoops
import Glibc

/// An open file with a picture's bytes. They stay readable when the file loses its name.
final class CachedPictureFile: Sendable {
    /// Open as long as this lives, for reading at a position (pread, sendfile).
    let descriptor: CInt

    /// Takes over the descriptor.
    init(owning descriptor: CInt) { self.descriptor = descriptor }

    deinit { Glibc.close(descriptor) }

    /// How many bytes there are. Blocks.
    func count() throws(SystemError) -> Int {
        var status = stat()
        try syscall("fstat") { unsafe fstat(descriptor, &status) }
        return Int(status.st_size)
    }

    /// Whether it still has a name and the right size. Needs the kernel's cached data only, no disk.
    func isNamed(byteCount: Int) -> Bool {
        var status = stat()
        return unsafe fstat(descriptor, &status) == 0 && status.st_nlink > 0 && status.st_size == byteCount
    }

    /// At most `limit` bytes from `start` on; none at the end. Blocks.
    func bytes(from start: Int, limit: Int) throws(SystemError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: limit)
        let count = try syscall("pread") { unsafe pread(descriptor, &bytes, limit, start) }
        bytes.removeSubrange(count...)
        return bytes
    }

    /// The SHA-256 of all bytes, as text. Blocks.
    func sha256() throws(SystemError) -> String {
        var hash = RunningSHA256()
        var start = 0
        while case let bytes = try bytes(from: start, limit: 64 << 10), !bytes.isEmpty {
            hash.update(bytes[...])
            start += bytes.count
        }
        return CachedPictureFacts.text(hash.digest)
    }

    /// Writes bytes from `start` on. Blocks.
    func write(_ bytes: ArraySlice<UInt8>, at start: Int) throws(SystemError) {
        var done = 0
        while done < bytes.count {
            done += try syscall("pwrite") {
                unsafe bytes.withUnsafeBytes { bytes in
                    unsafe pwrite(
                        descriptor, bytes.baseAddress?.advanced(by: done), bytes.count - done, start + done)
                }
            }
        }
    }
}
