internal import Bytes
internal import Glibc

/// How much memory the process may use: its container's limit, or the machine's memory.
package struct MemoryLimit: Sendable, Equatable {
    /// In bytes.
    package let bytes: Int
    /// Where the number is from.
    package let source: Source

    /// Who sets the limit.
    package enum Source: String, Sendable { case container, machine }

    /// The smallest limit of the process's control groups, of either version, or else the machine's memory
    /// (https://docs.kernel.org/admin-guide/cgroup-v2.html, memory.max; cgroup-v1/memory.html, memory.limit_in_bytes).
    package static func ofProcess(root: String = "") -> MemoryLimit {
        let machine = max(sysconf(Int32(_SC_PHYS_PAGES)), 0) * max(sysconf(Int32(_SC_PAGESIZE)), 0)
        let groups = text("\(root)/proc/self/cgroup") ?? ""
        let limits = groups.split(at: "\n").flatMap { files(of: $0) }.compactMap { file -> Int? in
            text("\(root)\(file)").flatMap { Int($0.without("\n")) }
        }
        guard let limit = limits.min(), limit > 0, limit < machine else {
            return MemoryLimit(bytes: machine, source: .machine)
        }
        return MemoryLimit(bytes: limit, source: .container)
    }

    /// The memory that clients may make the process hold: three eighths, from 32 MiB to 1 GiB. The rest is for the
    /// process itself, for messages while they are decoded, and for memory that was freed but not returned yet.
    package var budget: Int { min(max(bytes / 8 * 3, 32 << 20), 1 << 30) }

    /// The files with the limits of a group and of those around it. A container sees its own group as the root.
    private static func files(of line: Substring) -> [String] {
        let parts = line.split(at: ":", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[2].begins(with: "/") else { return [] }
        let (folder, name): (String, String)
        if parts[1].isEmpty {
            (folder, name) = ("/sys/fs/cgroup", "memory.max")
        } else if parts[1].split(at: ",").contains(where: { $0 == "memory" }) {
            (folder, name) = ("/sys/fs/cgroup/memory", "memory.limit_in_bytes")
        } else {
            return []
        }
        var path = parts[2].split(at: "/")
        var files = ["\(folder)/\(name)"]
        while !path.isEmpty {
            files.append("\(folder)/\(path.joined(separator: "/"))/\(name)")
            path.removeLast()
        }
        return files
    }

    /// A small file's text; nil when there is none.
    private static func text(_ path: String) -> String? {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 16 << 10)
        let count = unsafe bytes.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
        return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
    }
}
