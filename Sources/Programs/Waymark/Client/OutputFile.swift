import Bytes
import EventLoops
import Glibc
import Terminal

/// A file that a result is written to: whole or not at all.
struct OutputFile: Sendable {
    let path: String
    /// Whether a file that is there already may be replaced.
    let mayReplace: Bool

    init(path: String, mayReplace: Bool) {
        self.path = path
        self.mayReplace = mayReplace
    }

    /// The file that the user named, else one in this folder that is called like the photo.
    init(_ named: String?, photo: String) {
        self.init(path: named ?? Self.name(for: photo), mayReplace: named != nil)
    }

    /// "folder/trip/IMG 1.jpeg" is kept as "IMG 1.jpg".
    static func name(for photo: String) -> String {
        let last = photo.split(at: "/").last.map { String($0).printable } ?? "photo"
        let lower = last.lowercased()
        let ending = [".jpg", ".jpeg"].first { lower.ends(with: $0) && lower != $0 }
        return last.dropLast(ending?.count ?? 0) + ".jpg"
    }

    /// Must be so before anything is fetched, and again before it is written. Blocks.
    func check() throws {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFREG else { throw CommandFailure("\(path) is no ordinary file") }
        guard mayReplace else { throw CommandFailure("\(path) is there already; -o FILE replaces one") }
    }

    /// Writes to a new file next to it, which then replaces it. Blocks.
    func write(_ bytes: [UInt8]) throws {
        try check()
        var template = Array("\(path).XXXXXX".utf8CString)
        let descriptor = try syscall("open", path) { unsafe mkstemp(&template) }
        let temporary = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        do {
            defer { close(descriptor) }
            try Self.write(bytes, to: descriptor, path)
            try syscall("fchmod", path) { fchmod(descriptor, 0o644) }
            try syscall("fsync", path) { fsync(descriptor) }
            try syscall("rename", path) { unsafe rename(temporary, path) }
        } catch {
            unsafe unlink(temporary)
            throw error
        }
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32, _ path: String) throws(SystemError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = try syscall("write", path) {
                unsafe rest.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
            }
            rest = rest.dropFirst(count)
        }
    }
}
