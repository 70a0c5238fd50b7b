internal import CLinux
internal import EventLoops
internal import Glibc

/// The bytes of a blob, open for reading: they stay readable when the blob is removed in the meantime. Reading blocks.
final class BlobFile: Sendable {
    let name: BlobName
    /// How many bytes there are.
    let count: Int
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
        // From here on deinit closes the descriptor.
        guard isKnown, status.st_mode & S_IFMT == S_IFREG else { throw .failed("\(path) is not a file") }
    }

    deinit { close(descriptor) }

    /// How many bytes there are from `start` on, at most `limit`.
    func count(from start: Int, limit: Int) -> Int { start >= 0 ? max(0, min(limit, count - start)) : 0 }

    /// `head`, followed by the bytes from `start` on, at most `limit` of them; none at the end.
    func bytes(behind head: [UInt8] = [], from start: Int, limit: Int) throws(BlobError) -> [UInt8] {
        let wanted = count(from: start, limit: limit)
        return try [UInt8](capacity: head.count + wanted) { room throws(BlobError) in
            for byte in head { room.append(byte) }
            while !room.isFull {
                let got = try read(into: &room, at: start + room.count - head.count)
                guard got > 0 else { throw .damaged(name) }
            }
        }
    }

    /// The bytes, if all of them are in the page cache, so that reading does not wait for a disk; else nil.
    func bytesInMemory(behind head: [UInt8] = [], from start: Int, limit: Int) -> [UInt8]? {
        let wanted = count(from: start, limit: limit)
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: head.count + wanted) { room, filled in
            _ = unsafe room.update(fromContentsOf: head)
            let rest = unsafe UnsafeMutableBufferPointer(rebasing: room[head.count...])
            filled = head.count
            if wanted == 0 { return }
            filled += max(0, unsafe waymark_read_from_memory(descriptor, rest.baseAddress, wanted, start))
        }
        return bytes.count == head.count + wanted ? bytes : nil
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
