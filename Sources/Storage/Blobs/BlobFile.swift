internal import EventLoops
internal import Glibc

/// The bytes of a blob, open for reading: they stay readable when the blob is removed meanwhile. Reading blocks.
package final class BlobFile: Sendable {
    package let name: BlobName
    /// How many bytes there are.
    package let count: Int
    private let descriptor: Int32

    init(_ name: BlobName, at path: String) throws(BlobError) {
        do throws(SystemError) {
            descriptor = try syscall("open", path) { unsafe Glibc.open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC) }
        } catch {
            throw BlobError(error, name)
        }
        var status = stat()
        let isKnown = unsafe fstat(descriptor, &status) == 0
        self.name = name
        count = isKnown ? Int(status.st_size) : 0
        // From here on the descriptor is closed by deinit.
        guard isKnown, status.st_mode & S_IFMT == S_IFREG else { throw .failed("\(path) is not a file") }
    }

    deinit { close(descriptor) }

    /// The bytes from `start` on, at most `limit` of them; none at the end.
    package func bytes(from start: Int, limit: Int) throws(BlobError) -> [UInt8] {
        guard start >= 0, start < count, limit > 0 else { return [] }
        let wanted = min(limit, count - start)
        var bytes = [UInt8](repeating: 0, count: wanted)
        var filled = 0
        while filled < wanted {
            let got = try read(into: &bytes, filled, at: start)
            guard got > 0 else { throw .damaged(name) }
            filled += got
        }
        return bytes
    }

    private func read(into bytes: inout [UInt8], _ filled: Int, at start: Int) throws(BlobError) -> Int {
        do throws(SystemError) {
            return try syscall("pread", name.text) {
                unsafe bytes.withUnsafeMutableBytes { room in
                    unsafe pread(
                        descriptor, room.baseAddress?.advanced(by: filled), room.count - filled, start + filled)
                }
            }
        } catch {
            throw BlobError(error)
        }
    }
}
