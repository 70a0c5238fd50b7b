import Glibc
import TestTools

/// A control group of the kernel that bounds the memory of a process, of version 1 or 2
/// (https://docs.kernel.org/admin-guide/cgroup-v2.html). Making one needs root.
final class MemoryGroup: Sendable {
    private let folder: String
    private let isSecond: Bool

    /// Nil where none can be made.
    init?(bytes: Int) {
        let name = "waymark-attack-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"
        for (root, limit, isSecond) in [
            ("/sys/fs/cgroup/memory", "memory.limit_in_bytes", false), ("/sys/fs/cgroup", "memory.max", true),
        ] {
            let folder = "\(root)/\(name)"
            guard mkdir(folder, 0o755) == 0 else { continue }
            if (try? WholeFile.write(Array("\(bytes)".utf8), to: "\(folder)/\(limit)")) != nil {
                (self.folder, self.isSecond) = (folder, isSecond)
                return
            }
            rmdir(folder)
        }
        return nil
    }

    deinit { rmdir(folder) }

    func add(_ pid: Int32) throws { try WholeFile.write(Array("\(pid)".utf8), to: "\(folder)/cgroup.procs") }

    /// The memory that it has, in bytes: with what the kernel holds for it, such as bytes that peers have not read.
    var bytes: Int { get throws { try number(isSecond ? "memory.current" : "memory.usage_in_bytes") } }

    /// The most memory that it had, in bytes, files that it has read among it.
    var maximumBytes: Int { get throws { try number(isSecond ? "memory.peak" : "memory.max_usage_in_bytes") } }

    private func number(_ file: String) throws -> Int {
        Int(try WholeFile.text("\(folder)/\(file)").filter { $0.isNumber }) ?? 0
    }

    /// Whether tests can make one here.
    static let isAvailable = MemoryGroup(bytes: 64 << 20) != nil
}
