internal import Glibc

/// A file system of a few bytes in memory, for faults that only a real one has. Only root can mount one.
package enum TinyDisk {
    /// Whether this process may mount one.
    package static let isPossible: Bool = {
        let folder = TemporaryFolder()
        guard (try? mount(at: folder.path, bytes: 65_536, options: 0)) != nil else { return false }
        unmount(folder.path)
        return true
    }()

    /// Runs `body` with the path of a disk in a folder of its own; `options` are those of mount(2).
    package static func with<Value>(
        bytes: Int, options: UInt = 0, _ body: (String) async throws -> Value
    ) async throws -> Value {
        try await TemporaryFolder.with { try await with(bytes: bytes, at: $0, options: options, body) }
    }

    /// The same over a folder that is there.
    package static func with<Value>(
        bytes: Int, at folder: String, options: UInt = 0, _ body: (String) async throws -> Value
    ) async throws -> Value {
        try mount(at: folder, bytes: bytes, options: options)
        defer { unmount(folder) }
        return try await body(folder)
    }

    /// Takes room by a file of so many bytes.
    package static func fill(_ path: String, bytes: Int) throws {
        let file = unsafe open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(file) }
        guard file >= 0, posix_fallocate(file, 0, bytes) == 0 else {
            throw WholeFile.Failure(description: "\(path) can't be filled: errno \(errno)")
        }
    }

    /// Gives that room back.
    package static func empty(_ path: String) throws {
        guard unsafe unlink(path) == 0 else { throw WholeFile.Failure(description: "unlink \(path): errno \(errno)") }
    }

    private static func mount(at folder: String, bytes: Int, options: UInt) throws {
        guard unsafe Glibc.mount("tmpfs", folder, "tmpfs", options, "size=\(bytes)") == 0 else {
            throw WholeFile.Failure(description: "mount \(folder): errno \(errno)")
        }
    }

    private static func unmount(_ folder: String) { unsafe umount2(folder, Int32(MNT_DETACH)) }
}
