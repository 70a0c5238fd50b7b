import Glibc

/// A new folder of its own, removed with its files when it goes away.
package struct TemporaryFolder: ~Copyable {
    /// Where it is.
    package let path: String

    package init() {
        var template = Array("/tmp/waymark-test-XXXXXX".utf8CString)
        guard let made = unsafe mkdtemp(&template) else { preconditionFailure("no temporary folder: errno \(errno)") }
        path = unsafe String(cString: made)
    }

    deinit {
        if let folder = unsafe opendir(path) {
            while let entry = unsafe readdir(folder) {
                let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
                    unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
                }
                unsafe unlink("\(path)/\(name)")
            }
            unsafe closedir(folder)
        }
        unsafe rmdir(path)
    }

    /// Writes a whole file and gives its path.
    @discardableResult
    package borrowing func write(_ text: String, to name: String) -> String {
        let file = "\(path)/\(name)"
        let descriptor = unsafe open(file, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        precondition(descriptor >= 0, "\(file) can't be made: errno \(errno)")
        let bytes = Array(text.utf8)
        let written = unsafe Glibc.write(descriptor, bytes, bytes.count)
        precondition(written == bytes.count, "\(file) can't be written: errno \(errno)")
        close(descriptor)
        return file
    }

    /// A whole file.
    package static func read(_ path: String) -> String {
        let descriptor = unsafe open(path, O_RDONLY)
        precondition(descriptor >= 0, "\(path) can't be read: errno \(errno)")
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = unsafe Glibc.read(descriptor, &chunk, chunk.count)
            guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
            bytes += chunk[..<count]
        }
    }
}
