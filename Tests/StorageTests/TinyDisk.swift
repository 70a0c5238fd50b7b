import FoundationEssentials
import Glibc

/// A file system of a few bytes in memory, for faults that only a real one has. Only root can mount.
enum TinyDisk {
    static let isPossible: Bool = {
        guard let directory = mountPoint(bytes: 65_536, options: 0) else { return false }
        remove(directory)
        return true
    }()

    static func with(bytes: Int, options: UInt = 0, _ body: (String) async throws -> Void) async throws {
        guard let directory = mountPoint(bytes: bytes, options: options) else { return }
        defer { remove(directory) }
        try await body(directory)
    }

    private static func mountPoint(bytes: Int, options: UInt) -> String? {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent("disk-\(UUID().uuidString)").path
        guard mkdir(directory, 0o700) == 0 else { return nil }
        guard mount("tmpfs", directory, "tmpfs", options, "size=\(bytes)") == 0 else {
            rmdir(directory)
            return nil
        }
        return directory
    }

    private static func remove(_ directory: String) {
        umount2(directory, Int32(MNT_DETACH))
        rmdir(directory)
    }
}
