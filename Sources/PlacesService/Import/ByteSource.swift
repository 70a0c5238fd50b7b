import EventLoops
import Glibc

/// Bytes of a file, in order.
protocol ByteSource: AnyObject {
    /// Bytes of the stored file that were taken so far, for the progress.
    var takenBytes: UInt64 { get }
    /// Puts the next bytes in `room`, which is not empty; 0 at the end. Blocks.
    func read(into room: UnsafeMutableRawBufferPointer) throws(PlacesError) -> Int
}

/// A file as it is stored.
final class FileSource: ByteSource {
    let byteCount: UInt64
    private(set) var takenBytes: UInt64 = 0
    private let descriptor: Int32
    private let path: String

    init(path: String) throws(PlacesError) {
        self.path = path
        let descriptor = try PlacesError.converting("reading the file") { () throws(SystemError) in
            try syscall("open", path) { unsafe open(path, O_RDONLY | O_CLOEXEC) }
        }
        self.descriptor = descriptor
        var status = stat()
        byteCount = unsafe fstat(descriptor, &status) == 0 ? UInt64(clamping: status.st_size) : 0
    }

    deinit { close(descriptor) }

    /// Whether the file begins like gzip (RFC 1952), whatever its name is.
    var isGzip: Bool {
        var head: [UInt8] = [0, 0]
        return unsafe pread(descriptor, &head, 2, 0) == 2 && head == [0x1f, 0x8b]
    }

    func read(into room: UnsafeMutableRawBufferPointer) throws(PlacesError) -> Int {
        let count = try PlacesError.converting("reading the file") { () throws(SystemError) in
            try syscall("read", path) { unsafe Glibc.read(descriptor, room.baseAddress, room.count) }
        }
        takenBytes += UInt64(clamping: count)
        return count
    }
}
