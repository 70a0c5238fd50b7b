import EventLoops
import Files
import Glibc

/// A file that is written part by part, from any task, one after the other. All of it blocks.
final class DraftFile: Sendable {
    let path: String
    private let descriptor: Int32

    /// Makes an empty file, in place of one that is there.
    init(_ path: String) throws(PlacesError) {
        self.path = path
        descriptor = try PlacesError.converting("a file on its way in") { () throws(SystemError) in
            try syscall("open", path) { unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600) }
        }
    }

    deinit { close(descriptor) }

    func write(_ bytes: [UInt8], at start: Int) throws(PlacesError) {
        try PlacesError.converting("a file on its way in") { () throws(SystemError) in
            try DiskFile.writeAll(bytes, to: descriptor, at: start, path)
        }
    }

    /// Its bytes survive a power cut from here on.
    func sync() throws(PlacesError) {
        try PlacesError.converting("a file on its way in") { () throws(SystemError) in
            _ = try syscall("fsync", path) { fsync(descriptor) }
        }
    }
}
