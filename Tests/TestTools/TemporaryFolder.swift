internal import Glibc

/// A new folder for one test, removed with everything in it when it is no longer used.
package final class TemporaryFolder: Sendable {
    /// Where it is.
    package let path: String

    package init() {
        let above = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
        var template = Array("\(above)/waymark-test-XXXXXX".utf8CString)
        guard let made = unsafe mkdtemp(&template) else { preconditionFailure("no temporary folder: errno \(errno)") }
        path = unsafe String(cString: made)
    }

    deinit { Self.remove(path) }

    /// Runs `body` with the path of a new folder.
    package static func with<Value>(_ body: (String) async throws -> Value) async rethrows -> Value {
        let folder = TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        return try await body(folder.path)
    }

    /// The path of what has that name in it.
    package func file(_ name: String) -> String { "\(path)/\(name)" }

    /// The names of what is in it, sorted.
    package var names: [String] { Self.names(in: path).sorted() }

    /// Writes a whole file, which may be run when it `isProgram`, and gives its path.
    @discardableResult
    package func write(_ text: String, to name: String, isProgram: Bool = false) throws -> String {
        try WholeFile.write(Array(text.utf8), to: file(name))
        if isProgram { unsafe chmod(file(name), 0o755) }
        return file(name)
    }

    /// The text of a whole file in it.
    package func text(_ name: String) throws -> String { try WholeFile.text(file(name)) }

    /// Removes a file, or a folder with everything in it.
    package static func remove(_ path: String) {
        // A link to a folder is no folder: unlink takes it, and what it points to stays.
        guard unsafe unlink(path) != 0 else { return }
        for name in names(in: path) { remove("\(path)/\(name)") }
        unsafe rmdir(path)
    }

    /// The names of what is in a folder.
    package static func names(in path: String) -> [String] {
        guard let folder = unsafe opendir(path) else { return [] }
        defer { unsafe closedir(folder) }
        var names: [String] = []
        while let entry = unsafe readdir(folder) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) {
                unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}
