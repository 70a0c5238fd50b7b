import EventLoops
import Files
import Glibc

/// A file beside the one that it replaces when it is whole. All of it blocks.
struct ArchiveDraft: Sendable {
    private let output: OutputFile
    private let file: Descriptor
    private var count = 0

    private var path: String { output.path + ".partial" }

    init(of output: OutputFile) throws(SystemError) {
        self.output = output
        let path = output.path + ".partial"
        // Of a command that was broken off.
        try DiskFile.remove(path)
        file = try Descriptor.appending(to: path)
    }

    mutating func write(_ bytes: [UInt8]) throws(SystemError) {
        try DiskFile.writeAll(bytes, to: file.number, at: count, path)
        count += bytes.count
    }

    /// The same, on a thread that may wait.
    mutating func write(_ bytes: [UInt8], on blocking: BlockingPool) async throws {
        self = try await blocking.run { [self] in
            var draft = self
            try draft.write(bytes)
            return draft
        }
    }

    func keep() throws {
        try output.check()
        try syscall("fchmod", path) { fchmod(file.number, 0o644) }
        try syscall("fsync", path) { fsync(file.number) }
        try DiskFile.rename(path, to: output.path)
        try DiskFile.syncFolder(of: output.path)
    }

    func drop() throws(SystemError) { try DiskFile.remove(path) }
}
