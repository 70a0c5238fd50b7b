internal import CLinux
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
        return try [UInt8](capacity: wanted) { room throws(BlobError) in
            while !room.isFull {
                let got = try read(into: &room, at: start + room.count)
                guard got > 0 else { throw .damaged(name) }
            }
        }
    }

    /// The same, when all of them are in the kernel's memory, so that reading does not wait for a disk; else nil.
    package func bytesInMemory(from start: Int, limit: Int) -> [UInt8]? {
        guard start >= 0, start < count, limit > 0 else { return [] }
        let wanted = min(limit, count - start)
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: wanted) { room, filled in
            filled = max(0, unsafe waymark_read_from_memory(descriptor, room.baseAddress, wanted, start))
        }
        return bytes.count == wanted ? bytes : nil
    }

    private func read(into room: inout OutputSpan<UInt8>, at start: Int) throws(BlobError) -> Int {
        do throws(SystemError) {
            return try unsafe room.withUnsafeMutableBufferPointer { room, filled throws(SystemError) in
                let free = unsafe UnsafeMutableRawBufferPointer(
                    rebasing: UnsafeMutableRawBufferPointer(room)[filled...])
                let got = try syscall("pread", name.text) {
                    unsafe pread(descriptor, free.baseAddress, free.count, start)
                }
                filled += got
                return got
            }
        } catch {
            throw BlobError(error)
        }
    }
}
