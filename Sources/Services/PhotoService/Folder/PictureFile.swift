import CLinux
import EventLoops
import Glibc
import PictureCalls

/// An open file of the folder.
struct PictureFile: ~Copyable {
    /// When it was last modified, in nanoseconds since 1970.
    let modifiedNs: Int64
    private let size: Int
    private let descriptor: Int32

    /// Opens a regular file. A link, a device or a path out of the folder is refused; a FIFO is not waited for.
    init(_ path: String, beneath folder: Int32) throws(PictureProblem) {
        let flags = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
        let descriptor: Int32
        do throws(SystemError) {
            descriptor = try syscall("openat2") { unsafe waymark_open_beneath(folder, path, flags) }
        } catch {
            throw Self.problem(error)
        }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw .notAFile
        }
        self.descriptor = descriptor
        size = Int(status.st_size)
        modifiedNs = Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec)
    }

    deinit { close(descriptor) }

    /// The first bytes, at most `limit` of them; refuses a file of more than `whole`.
    borrowing func bytes(limit: Int, whole: Int = PictureLimit.ownBytes) throws(PictureProblem) -> [UInt8] {
        guard size <= whole else { throw .tooLarge(limit: whole) }
        // Bytes that are appended from now on do not count.
        var bytes = [UInt8](repeating: 0, count: min(size, limit))
        var filled = 0
        while filled < bytes.count {
            let got = try read(into: &bytes, filled)
            if got == 0 { break }
            filled += got
        }
        bytes.removeLast(bytes.count - filled)
        return bytes
    }

    /// Gives all of its bytes to `body`, a part at a time.
    borrowing func forEachPart(_ body: (ArraySlice<UInt8>) -> Void) throws(PictureProblem) {
        var part = [UInt8](repeating: 0, count: 256 << 10)
        var start = 0
        while case let count = try read(into: &part, at: start), count > 0 {
            body(part[..<count])
            start += count
        }
    }

    private borrowing func read(into part: inout [UInt8], at start: Int) throws(PictureProblem) -> Int {
        let descriptor = descriptor
        do throws(SystemError) {
            return try syscall("pread") {
                unsafe part.withUnsafeMutableBytes { unsafe pread(descriptor, $0.baseAddress, $0.count, start) }
            }
        } catch {
            throw .unreadable(error.description)
        }
    }

    private borrowing func read(into bytes: inout [UInt8], _ filled: Int) throws(PictureProblem) -> Int {
        let descriptor = descriptor
        do throws(SystemError) {
            return try syscall("pread") {
                unsafe bytes.withUnsafeMutableBytes { room in
                    unsafe pread(descriptor, room.baseAddress?.advanced(by: filled), room.count - filled, filled)
                }
            }
        } catch {
            throw .unreadable(error.description)
        }
    }

    private static func problem(_ error: SystemError) -> PictureProblem {
        switch error.code {
        case ENOENT, ENOTDIR: .gone
        // A link, a path out of the folder, a socket.
        case ELOOP, EXDEV, ENXIO: .notAFile
        default: .unreadable(error.description)
        }
    }
}
