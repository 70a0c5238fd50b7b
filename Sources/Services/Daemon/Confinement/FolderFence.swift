import Confine

/// Restricts the process to its own folders, with the kernel's Landlock
/// (https://docs.kernel.org/userspace-api/landlock.html).
struct FolderFence {
    /// The first Landlock version that allows files to be renamed from one folder to another.
    private static let leastVersion = 2
    /// What may be done to files (linux/landlock.h): 0 execute, 1 write, 2 read, 3 list a folder, 4 and 5 remove, 6 to
    /// 12 make; 13 rename to another folder; 14 truncate, from version 3 on.
    private static let reading: UInt64 = 1 << 0 | 1 << 2 | 1 << 3
    private static let all: UInt64 = (1 << 14) - 1
    private static let truncating: UInt64 = 1 << 14
    /// Those of them that apply to a file that is not a folder.
    private static let ofFiles: UInt64 = 1 << 0 | 1 << 1 | 1 << 2 | 1 << 14

    private let rules: Int32
    private let handled: UInt64

    /// Nil when the kernel has no Landlock.
    init?() {
        let version = waymark_landlock_version()
        guard version >= Self.leastVersion else { return nil }
        handled = version >= 3 ? Self.all | Self.truncating : Self.all
        rules = waymark_landlock_make(handled)
        guard rules >= 0 else { return nil }
    }

    /// Allows reading files at a path and below; a path that does not exist needs no rule.
    func letRead(_ path: String) { allow(path, Self.reading) }

    /// Allows everything at a path and below.
    func letWrite(_ path: String) { allow(path, handled) }

    private func allow(_ path: String, _ access: UInt64) {
        unsafe waymark_landlock_allow(rules, path, access & handled, Self.ofFiles & handled)
    }

    /// Restricts this thread, and those that it starts from now on. Returns whether it is in force now.
    func close() -> Bool { waymark_landlock_restrict(rules) == 0 }
}
