import Bytes
import EventLoops
import Files
import Glibc

/// What the kernel counts for this process.
struct ProcessUsage: Sendable {
    /// Memory that it occupies, in bytes.
    let residentBytes: UInt64
    /// Processor time that it has used since it started, in seconds.
    let cpuSeconds: Double
    /// Descriptors that are open.
    let openDescriptors: Int

    /// Reads the current values. What can't be read is 0.
    static var now: ProcessUsage {
        ProcessUsage(residentBytes: residentBytes, cpuSeconds: cpuSeconds, openDescriptors: openDescriptors)
    }

    /// The second number of /proc/self/statm, in pages (man 5 proc).
    private static var residentBytes: UInt64 {
        guard let bytes = try? SmallFile.read("/proc/self/statm", limit: 4096) else { return 0 }
        let fields = String(decoding: bytes, as: UTF8.self).split(at: " ")
        guard fields.count > 1, let pages = UInt64(fields[1]) else { return 0 }
        return pages * UInt64(clamping: sysconf(Int32(_SC_PAGESIZE)))
    }

    private static var cpuSeconds: Double {
        var time = timespec()
        guard unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) == 0 else { return 0 }
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    private static var openDescriptors: Int {
        // One is the descriptor of the folder itself.
        max(0, ((try? DiskFile.names(in: "/proc/self/fd")) ?? []).count - 1)
    }
}

extension ProcessUsage {
    /// The process metrics for `/metrics`, under the names that Prometheus's own clients use.
    var families: [MetricFamily] {
        [
            MetricFamily(
                "process_resident_memory_bytes", .gauge, "Memory that the process occupies.", .count(residentBytes)),
            MetricFamily(
                "process_cpu_seconds_total", .counter, "Time of processors that the process has used.",
                .number(cpuSeconds)),
            MetricFamily(
                "process_open_fds", .gauge, "Descriptors that are open.", .count(UInt64(clamping: openDescriptors))),
            MetricFamily(
                "process_max_fds", .gauge, "Descriptors that may be open.",
                .count(UInt64(clamping: DescriptorLimit.current))),
        ]
    }
}
