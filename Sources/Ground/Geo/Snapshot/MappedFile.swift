internal import Glibc

/// A whole file mapped for reading, or its like in memory.
///
/// Snapshot files are never changed in place, only replaced by a rename, so the mapping stays what it was even when
/// a newer file takes the name; a file that something else truncates while it is mapped is beyond help (SIGBUS).
@safe
package struct MappedFile: ~Copyable {
    package let bytes: UnsafeRawBufferPointer

    /// Maps a file; one too short to hold a snapshot's header is refused.
    package init(path: String) throws(GeoError) {
        unsafe bytes = try unsafe Self.map(path)
    }

    /// A copy of bytes that are in no file.
    package init(copying memory: [UInt8]) throws(GeoError) {
        let flags = MAP_PRIVATE | MAP_ANONYMOUS
        let mapping = unsafe mmap(nil, memory.count, PROT_READ | PROT_WRITE, flags, -1, 0)
        guard let mapping = unsafe mapping, unsafe mapping != MAP_FAILED else {
            throw .system(call: "mmap", code: errno, path: Snapshot.memoryPath)
        }
        unsafe UnsafeMutableRawBufferPointer(start: mapping, count: memory.count).copyBytes(from: memory)
        unsafe bytes = UnsafeRawBufferPointer(start: mapping, count: memory.count)
    }

    deinit { _ = unsafe munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count) }

    private static func map(_ path: String) throws(GeoError) -> UnsafeRawBufferPointer {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system(call: "open", code: errno, path: path) }
        defer { _ = close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw .system(call: "fstat", code: errno, path: path) }
        let count = status.st_size
        guard count >= SnapshotLayout.firstSection else {
            throw .corrupt(path: path, reason: "it has only \(count) bytes, less than a header")
        }
        let mapping = unsafe mmap(nil, count, PROT_READ, MAP_SHARED, descriptor, 0)
        guard let mapping = unsafe mapping, unsafe mapping != MAP_FAILED else {
            throw .system(call: "mmap", code: errno, path: path)
        }
        return unsafe UnsafeRawBufferPointer(start: mapping, count: count)
    }
}
