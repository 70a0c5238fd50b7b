internal import Glibc

/// Writes a file under a temporary name and puts it in place in one step, or leaves nothing behind.
///
/// The order that makes it safe to kill at any moment: write, fsync the file, rename, fsync the folder.
struct SnapshotFileWriter: ~Copyable {
    private let path: String
    private let partialPath: String
    private var descriptor: Int32
    private var pending: [UInt8] = []
    private(set) var writtenBytes = 0
    private static let bufferBytes = 1 << 20

    /// Opens `path` + ".partial", emptying what a killed predecessor left.
    init(path: String) throws(GeoError) {
        self.path = path
        partialPath = path + ".partial"
        descriptor = unsafe open(partialPath, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw .system(call: "open", code: errno, path: partialPath) }
        pending.reserveCapacity(Self.bufferBytes)
    }

    deinit {
        guard descriptor >= 0 else { return }
        _ = close(descriptor)
        _ = unsafe unlink(partialPath)
    }

    mutating func write(_ bytes: UnsafeRawBufferPointer) throws(GeoError) {
        writtenBytes += bytes.count
        if pending.count + bytes.count > Self.bufferBytes { try flush() }
        if bytes.count > Self.bufferBytes { return unsafe try writeAll(bytes) }
        unsafe pending.append(contentsOf: bytes)
    }

    /// Flushes and replaces `length` bytes at `offset`.
    mutating func overwrite(at offset: Int, with bytes: [UInt8]) throws(GeoError) {
        try flush()
        var done = 0
        while done < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { bytes in
                unsafe pwrite(descriptor, bytes.baseAddress?.advanced(by: done), bytes.count - done, offset + done)
            }
            try advance(&done, count, call: "pwrite")
        }
    }

    /// Makes the file durable and gives it its name.
    mutating func commit() throws(GeoError) {
        try flush()
        guard fsync(descriptor) == 0 else { throw .system(call: "fsync", code: errno, path: partialPath) }
        guard close(takeDescriptor()) == 0 else { throw abandoned(call: "close", code: errno) }
        guard unsafe rename(partialPath, path) == 0 else { throw abandoned(call: "rename", code: errno) }
        try syncFolder()
    }

    private mutating func takeDescriptor() -> Int32 {
        defer { descriptor = -1 }
        return descriptor
    }

    private func abandoned(call: String, code: Int32) -> GeoError {
        _ = unsafe unlink(partialPath)
        return .system(call: call, code: code, path: partialPath)
    }

    private func syncFolder() throws(GeoError) {
        let folder = path.unicodeScalars.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        let handle = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard handle >= 0 else { throw .system(call: "open", code: errno, path: folder) }
        defer { _ = close(handle) }
        guard fsync(handle) == 0 else { throw .system(call: "fsync", code: errno, path: folder) }
    }

    private mutating func flush() throws(GeoError) {
        unsafe try pending.withUnsafeBufferPointer { bytes throws(GeoError) in
            unsafe try writeAll(UnsafeRawBufferPointer(bytes))
        }
        pending.removeAll(keepingCapacity: true)
    }

    private func writeAll(_ bytes: UnsafeRawBufferPointer) throws(GeoError) {
        var done = 0
        while done < bytes.count {
            let count = unsafe Glibc.write(descriptor, bytes.baseAddress?.advanced(by: done), bytes.count - done)
            try advance(&done, count, call: "write")
        }
    }

    /// After a short write, another one returns the reason if there is one.
    private func advance(_ done: inout Int, _ count: Int, call: String) throws(GeoError) {
        if count >= 0 {
            done += count
        } else if errno != EINTR {
            throw .system(call: call, code: errno, path: partialPath)
        }
    }
}
