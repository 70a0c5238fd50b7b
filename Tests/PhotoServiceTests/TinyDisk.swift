import FoundationEssentials
import Glibc

/// A file system of a few bytes in memory, which really gets full. Only root can mount one.
enum TinyDisk {
    static let isPossible: Bool = {
        guard let folder = mountPoint(bytes: 65_536) else { return false }
        remove(folder)
        return true
    }()

    static func with(bytes: Int, _ body: (String) async throws -> Void) async throws {
        guard let folder = mountPoint(bytes: bytes) else { return }
        defer { remove(folder) }
        try await body(folder)
    }

    private static func mountPoint(bytes: Int) -> String? {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("disk-\(UUID().uuidString)").path
        guard mkdir(folder, 0o700) == 0 else { return nil }
        if mount("tmpfs", folder, "tmpfs", 0, "size=\(bytes)") == 0 { return folder }
        rmdir(folder)
        return nil
    }

    private static func remove(_ folder: String) {
        umount2(folder, Int32(MNT_DETACH))
        rmdir(folder)
    }
}
